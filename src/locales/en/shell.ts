/** Texts of the frame around every screen. */
export const shell = {
  skip: 'Skip to main content',
  unknownLogo: 'Organization logo',
  productName: 'Porchlight',
  poweredBy: 'Powered By',
  helpLead: 'Need help?',
  helpLink: 'Call or write to us',

  textSize: {
    label: 'Text size',
    standard: 'Standard text',
    large: 'Large text',
    largest: 'Largest text',
  },

  display: {
    button: 'Display',
  },

  banner: {
    label: 'News',
    carousel: 'carousel',
    slide: 'slide',
    title: 'Great News - Experience Our New User Interface',
    slides: [
      'Press AA above, and choose larger letters.',
      'Press AA above, and choose dark colors.',
      'Turn on “Take your time”, and nothing rushes you.',
    ],
    position: '{n} of {total}',
    show: 'Show slide {n}',
    pause: 'Pause',
    play: 'Play',
  },
} as const;
