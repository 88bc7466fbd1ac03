// The baselines "React alone", rendered in the browser or on the server: the same form as the real page, nothing else.
import { createRoot, hydrateRoot } from 'react-dom/client';

function SignIn() {
  return (
    <main>
      <h1>Sign in</h1>
      <form method="post">
        <label htmlFor="email">Email</label>
        <input id="email" name="email" type="email" autoComplete="username" />
        <button type="submit">Next</button>
      </form>
    </main>
  );
}

const root = document.getElementById('root');
if (root?.firstChild) hydrateRoot(root, <SignIn />);
else if (root) createRoot(root).render(<SignIn />);
