/** What an operator, or a module's developer, reads of `porchlight module`. */
export const moduleCommand = {
  header: ['id', 'address', 'told of sign-outs at', 'credential'],
  notTold: '-',
  sealed: 'takes it',
  badId: '{word} is no module. There are: {ids}',
  idTwice: 'The id was named twice.',
  nothing: 'Nothing was changed: name --url, --login or --sign-out-url.',
  notWritable:
    'PORCHLIGHT_MODULES_FILE names no file: change the entry under `modules` of porchlight.json by hand.',
  missing: 'not there: {ids}',
  noFile: 'No modules are named: neither by PORCHLIGHT_MODULES_FILE nor in porchlight.json.',
  faults: 'The module has faults:',
  fileFaults: '{file} has faults:',
  taken:
    'There is a module {id} already, with another address. To change it: porchlight module set {id}',
  addedAlready:
    'The module {id} is there already, with these addresses. Its secret stays: porchlight module rotate-secret {id}',
  changed: 'Changed {id} in {file}. Servers know it after a restart.',
  moved:
    'Changed {id} in {file}: {rootUrl}, login page {loginUrl}. Servers know it after a restart.',
  removed: 'Removed {id} from {file}. Servers know it after a restart.',
  removedAlready: 'There is no module {id}: nothing was to be removed.',
  unknown: 'There is no module {id} in PORCHLIGHT_MODULES_FILE.',
  added: 'Added {id} to {file}. Servers know it after a restart.',
  print:
    'PORCHLIGHT_MODULES_FILE names no file: put this into the one that it will name, or under `modules` of porchlight.json.',
  secret: 'Its secret, shown this once and kept only as a hash: {secret}',

  portal: 'The check plays the portal at {portal}.',
  start: 'Start the module {id} with that portal. Its secret for this check: {secret}',
  startOwn: 'Start the module {id} with that portal, and with its own secret.',
  inUse:
    '{portal} cannot be listened at ({reason}). Stop the demo there, or name another address with --portal.',
  notHere: '{portal} is not an http address of this machine: name one with --portal.',
  ended: 'The command of --run has ended: {command}',
  ok: 'ok: {what}',
  fault: 'FAULT: {what}. {mend}',
  done: '{count} checks. Faults: {faults}.',
  unchecked: 'Not checked: {what}',
} as const;

type CheckText = {
  /** What is well. */
  readonly ok: string;
  /** What is wrong. */
  readonly fault: string;
  readonly mend: string;
};

/** Each check of `porchlight module check`, in the order of docs/modules.md. */
export const moduleChecks = {
  reached: {
    ok: 'The module answers at {url}',
    fault: 'Nobody answers at {url}',
    mend: 'Start the module, and look at the address',
  },
  keys: {
    ok: 'It fetches the public keys',
    fault: 'It never asked for {portal}/api/Handoff/Keys',
    mend: 'Give it the portal’s address {portal}, and restart it: it may have kept the keys of another portal',
  },
  credentials: {
    ok: 'Its id and secret are right',
    fault: 'Its call of Redeem had a wrong id or secret',
    mend: 'Send HTTP Basic with the id {id} and the secret whose SHA-256 is in the entry',
  },
  credential: {
    ok: 'It signs in whoever comes with a good credential',
    fault: 'A good hand-off with a credential led to status {status}; without one it signs in',
    mend: 'Open it with the private key of sealedTo, RSA-OAEP-256 and A256GCM; txn is appState, aud is {id}',
  },
  withoutCredential: {
    ok: 'It answers whoever comes without a credential with a page',
    fault: 'A good hand-off without a credential led to no page of its own',
    mend: 'A browser without script sends none, nor does a hand-off without a password: sign the person in, and ask for what you need',
  },
  redeems: {
    ok: 'It redeems a hand-off once',
    fault: 'It called Redeem {count} times for one hand-off',
    mend: 'POST the JWT, out of its base64, as token in JSON to {portal}/api/Handoff/Redeem, once',
  },
  arrives: {
    ok: 'A good hand-off at rootUrl signs in',
    fault: 'A good hand-off at rootUrl led to status {status} and no page of its own',
    mend: 'After Redeem start a session and redirect (303) to a page that answers 200',
  },
  arrivesAtLogin: {
    ok: 'A good hand-off at loginUrl signs in',
    fault: 'A good hand-off at loginUrl led to status {status} and no page of its own',
    mend: 'Receive visitors at both addresses',
  },
  cleanAddress: {
    ok: 'The address after that has no token',
    fault: 'The page after arrival still has the token in its address',
    mend: 'Redirect (303) to an address without the query before anything else is loaded',
  },
  referrer: {
    ok: 'The answer to the arrival keeps its address to itself',
    fault: 'The answer to the arrival has no Referrer-Policy of no-referrer',
    mend: 'Send that header, for the address has the token',
  },
  cookie: {
    ok: 'The session’s cookie is closed to scripts and other sites',
    fault: 'A cookie of the arrival lacks {missing}',
    mend: 'Set HttpOnly and SameSite=Lax or Strict, and Secure at an https address',
  },
  nobody: {
    ok: 'Somebody who is not signed in gets another page',
    fault: 'The page for nobody looks like the page for somebody',
    mend: 'Answer 401, or redirect to the portal’s /account/signin, when there is no session; nothing more was checked',
  },
  replay: {
    ok: 'The same address does not work again',
    fault: 'The same address signed in a second time',
    mend: 'Refuse when Redeem answers 409',
  },
  freshSession: {
    ok: 'A hand-off begins a session of its own, whatever cookies the browser has',
    fault: 'A cookie from before the hand-off was signed in by it',
    mend: 'Make a new session id at each hand-off: who planted the old one in the browser would be signed in as well',
  },
  keptSession: {
    ok: 'A refused hand-off leaves the session that was there',
    fault: 'A refused hand-off ended the session that was there',
    mend: 'Touch no session and no cookie before Redeem has answered 200',
  },
  audience: {
    ok: 'A token of another module is refused',
    fault: 'A token of another module signed in',
    mend: 'Compare aud with your id',
  },
  issuer: {
    ok: 'A token of another portal is refused',
    fault: 'A token with another iss signed in',
    mend: 'Compare iss with the portal’s address, without a closing slash',
  },
  expired: {
    ok: 'A token that is over is refused',
    fault: 'A token that ended four minutes ago signed in',
    mend: 'Check exp by a clock that is right, with at most 60 s of leeway',
  },
  early: {
    ok: 'A token of the future is refused',
    fault: 'A token that begins in five minutes signed in',
    mend: 'Check nbf, with at most 60 s of leeway',
  },
  noBeginning: {
    ok: 'A token without nbf is refused',
    fault: 'A token without nbf signed in',
    mend: 'Ask for nbf: every hand-off has it',
  },
  type: {
    ok: 'A token of another kind is refused',
    fault: 'A token with typ JWT signed in',
    mend: 'Ask for typ handoff+jwt',
  },
  tampered: {
    ok: 'A token that was changed is refused',
    fault: 'A token whose claims were changed signed in',
    mend: 'Verify the signature before you read a claim',
  },
  foreignKey: {
    ok: 'A token that somebody else signed is refused',
    fault: 'A token by another key, with the kid of ours, signed in',
    mend: 'Verify with the key of that kid out of {portal}/api/Handoff/Keys, and with no other',
  },
  unsigned: {
    ok: 'A token without a signature is refused',
    fault: 'A token with alg none signed in',
    mend: 'Take ES256 alone, whatever the header says',
  },
  publicKeyAsSecret: {
    ok: 'A token with the public key for a secret is refused',
    fault: 'A token with alg HS256 and the public key for its secret signed in',
    mend: 'Take ES256 alone, whatever the header says',
  },
  keyCalls: {
    ok: 'Tokens with an unknown kid do not make it ask for keys each time',
    fault: 'It asked for keys {count} times within seconds, for tokens with an unknown kid',
    mend: 'Ask again at an unknown kid at most once a minute',
  },
  otherAppState: hint('appState'),
  otherUserId: hint('userId'),
  otherRoleId: hint('roleId'),
  otherLoggenInId: hint('loggenInId'),
  factor: {
    ok: 'A sign-in without a code is refused',
    fault: 'A token whose amr has no otp signed in',
    mend: 'Ask that amr contains otp',
  },
  credentialSignIn: {
    ok: 'A credential of another sign-in is refused',
    fault: 'A credential whose txn is not appState signed in',
    mend: 'Compare txn of the opened credential with appState',
  },
  credentialAudience: {
    ok: 'A credential for another module is refused',
    fault: 'A credential whose aud is another module signed in',
    mend: 'Compare aud of the opened credential with your id',
  },
  noCredential: refusal('401 MODULE_UNKNOWN, a wrong id or secret'),
  refusedToken: refusal('401 HANDOFF_INVALID'),
  sessionOver: refusal('401 NO_SESSION'),
  tooMany: refusal('429 TOO_MANY'),
  unavailable: refusal('503 UNAVAILABLE'),
  badGateway: refusal('502 with a page of a proxy'),
  redirected: {
    ok: 'It follows no redirect of Redeem',
    fault: 'It followed a redirect of Redeem',
    mend: 'Follow none: it would take the token, and with it the secret, to wherever it leads',
  },
  signOut: {
    ok: 'Its sign-out ends its session and goes to the portal with the ids',
    fault: 'Its sign-out {reason}',
    mend: 'End the session and redirect to {portal}/account/Signout with success=true and the appState, loggenInId, roleId and userId of the hand-off',
  },
  emptyCall: told('a call without a token', 'Answer 400 when there is no logout_token'),
  foreignCall: told(
    'a token that somebody else signed',
    'Verify its signature as that of a hand-off',
  ),
  otherModuleCall: told('a token for another module', 'Compare its aud with your id'),
  otherIssuerCall: told('a token of another portal', 'Compare its iss with the portal’s address'),
  expiredCall: told('a token that is over', 'Check its exp'),
  eventlessCall: told(
    'a token without the event',
    'Ask that events has the member backchannel-logout',
  ),
  handOffCall: told('a hand-off for a logout token', 'Ask for typ logout+jwt'),
  otherSubject: {
    ok: 'A call for another person leaves the session alone',
    fault: 'A call whose sub is another person ended the session',
    mend: 'End a session only if its userId, as text, is sub, too',
  },
  otherSession: {
    ok: 'The end of another session leaves this one alone',
    fault: 'The end of another session of the same person ended this one',
    mend: 'End the session whose loggedInId is the token’s sid, and no other',
  },
  told: {
    ok: 'A good call ends the session',
    fault: 'After a good call, answered {status}, the session went on',
    mend: 'Keep loggedInId with the session, and end the one that is the token’s sid',
  },
  toldAnswer: {
    ok: 'It answers a good call with 200 or 204, also of a session it does not know',
    fault: 'It answered a good call with {status}',
    mend: 'Answer 200 or 204 when the session is over, also when you did not know it; else the portal calls for hours',
  },
} as const satisfies Readonly<Record<string, CheckText>>;

function hint(name: string) {
  return {
    ok: `An address with another ${name} is refused`,
    fault: `An address whose ${name} was changed signed in`,
    mend: `Compare ${name} of the query, as text, with the claim`,
  } as const;
}

function refusal(answer: string) {
  return {
    ok: `It copes with Redeem’s ${answer}`,
    fault: `When Redeem answered ${answer}, it {reason}`,
    mend: 'Sign nobody in unless Redeem answers 200, and answer with a page and a link to /account/signin',
  } as const;
}

function told(what: string, mend: string) {
  return {
    ok: `Its signOutUrl refuses ${what}`,
    fault: `To ${what}, its signOutUrl {reason}`,
    mend: `${mend}; answer 400 and end nothing`,
  } as const;
}

/** Ends of sentences about what was seen. */
export const moduleSeen = {
  signedIn: 'signed in',
  silent: 'did not answer within 15 s',
  crashed: 'answered 500',
  ended: 'ended the session',
  answered: 'answered {status}',
  answeredBoth: 'answered {status} to GET and {posted} to POST',
  sessionStays: 'left its session alive',
  elsewhere: 'led to {url}',
  noSignOutUrl: 'the sign-out call, because no signOutUrl was named (--sign-out-url)',
  noCredential: 'the credential, because no role that leads here carries one',
  noSignOut: 'its own sign-out, because its path was not named (--sign-out)',
} as const;
