/** Texts of the frame around every screen. */
export const shell = {
  skip: 'Skip to main content',
  unknownLogo: 'Organisation logo',
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
    panel: 'Display settings',
    colours: 'Colours',
    device: 'Match my device',
    light: 'Light',
    dark: 'Dark',
    untimed: 'Take your time',
    untimedHint:
      'Messages stay until you close them, pictures stay still, and no page moves on by itself.',
  },

  banner: {
    label: 'News',
    carousel: 'carousel',
    slide: 'slide',
    title: 'Great News - Experience Our New User Interface',
    slides: [
      'Bigger text, clearer buttons and one door to everything you use.',
      'Read it your way: larger letters and dark colours are one press away.',
      'Need more time? Turn on “Take your time” and nothing will rush you.',
    ],
    position: '{n} of {total}',
    show: 'Show slide {n}',
    pause: 'Pause',
    play: 'Play',
  },
} as const;
