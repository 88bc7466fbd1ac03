import { DEMO_PASSWORD, demoEmail } from '../support/people.ts';
import { INTAKE, signIn, SWITCHER } from './steps.ts';
import { test } from './test.ts';
import { button, choice, facts, heading, main } from './visitor.ts';

const demo = (name: string) => ({ email: demoEmail(name), password: DEMO_PASSWORD });

test('[ROL-01] [ROL-03] somebody with several roles chooses one on the switcher', async ({
  visitor,
  code,
}) => {
  await signIn(visitor, demo('multi'), code);
  await visitor.sees(SWITCHER);
  await visitor.click(button('Continue'));
  await visitor.sees(main, 'Please select a role');
  await visitor.click(choice('Admin'));
  await visitor.click(button('Continue'));
  await visitor.sees(heading('Admin'));
});

test('[RED-12] [HND-05] staff are handed over with the password sealed for the module', async ({
  visitor,
  code,
}) => {
  await signIn(visitor, demo('staff'), code);
  await visitor.sees(SWITCHER);
  await visitor.click(choice('Staff'));
  await visitor.click(button('Continue'));
  await visitor.sees(INTAKE);
  await visitor.click(facts);
  await visitor.sees(main, `opened, ${DEMO_PASSWORD.length} characters`);
});
