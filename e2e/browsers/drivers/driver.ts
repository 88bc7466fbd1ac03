export type Key = 'Tab' | 'Enter' | 'Escape' | 'ArrowDown';

/** What a browser has to be able to do; everything else is asked of the page. Points and sizes are in CSS pixels. */
export type Tab = {
  goto(url: string): Promise<void>;
  /** The value of an expression, as JSON can say it. */
  evaluate(expression: string): Promise<unknown>;
  point(x: number, y: number): Promise<void>;
  click(x: number, y: number): Promise<void>;
  type(text: string): Promise<void>;
  press(key: Key): Promise<void>;
  resize(width: number, height: number): Promise<void>;
  screenshot(): Promise<Uint8Array>;
  close(): Promise<void>;
};

export type Driver = {
  /** A visitor with a profile of its own. */
  open(): Promise<Tab>;
  close(): Promise<void>;
};

/** What fits on a small laptop, below the bars of its browser. */
export const WINDOW = { width: 1024, height: 730 };
