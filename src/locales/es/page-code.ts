import type { pageCode as english } from '../en/page-code.ts';
import type { Spanish } from './spanish.ts';

export const pageCode = {
  tell: 'Dígale a quien le ayuda:',
  getCode: 'Ver un código de mi página',
  showsPage: 'Le muestra su página. No guarda ningún secreto.',
  codeAway: 'Ahora no hay código. Diga lo que ve en la página.',
} as const satisfies Spanish<typeof english>;
