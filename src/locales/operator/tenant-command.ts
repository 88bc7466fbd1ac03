/** `porchlight subtenant`: what an operator reads. */
export const tenantCommand = {
  header: ['id', 'name', 'logo', 'accent', 'state'],
  none: 'No subtenant yet. Nobody can sign up before there is one: porchlight subtenant add 742 "Your organization"',
  open: 'open',
  closed: 'closed',
  noAccent: "the product's own",
  inTexts: 'Text messages say "{name}": other letters, or more of them, would cost more.',
  added: '{id} {name} is added. People sign up there from now on.',
  changed: '{id} is changed.',
  isClosed:
    '{id} is closed: nobody signs up there, and its pages look like the default. Its people keep their accounts.',
  isOpen: '{id} is open.',
  addedAlready: '{id} {name} is there already. Nothing was changed.',
  nothing: 'Nothing was changed: name --name, --logo, --accent, --language or --hours.',
  taken:
    'There is a subtenant {id} already, and it differs: porchlight subtenant list. To change it: porchlight subtenant set {id}',
  unknown: 'There is no subtenant {id}.',
  badId: 'ID is a whole number from 1.',
  badName: 'NAME is one line of 1 to 80 characters.',
  nameFaults: {
    length: 'A name has 2 to 60 letters.',
    signs: "A name has letters, digits, spaces and & ' . , - and no other signs.",
    link: 'A name is no address and no link: mail programs make one of it.',
    digits: 'A name has no four digits in a row.',
    scripts: 'A name has letters of one script: those of another look alike.',
  },
  nameTaken: 'That name is, or looks like, the name of {name}. Choose another one.',
  badLanguage: 'There are texts in: {languages}.',
  badAccent: 'A color is # and six digits from 0 to F, such as #1F5FA8.',
  badHours:
    'Hours are written like Mon-Fri 8:00-18:00, Sat 9:00-12:00, with 60 characters at most.',
  noLogo: 'There is no {logo}: put the file into PORCHLIGHT_LOGOS_DIR first. There are: {paths}',
} as const;
