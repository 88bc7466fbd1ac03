// The baseline "React alone, rendered in the browser": the same form as the real page, nothing else.
import { createRoot } from 'react-dom/client';

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
if (root) createRoot(root).render(<SignIn />);
