/** Records the statements of requests, for tests that compare the work of two equal answers. */

import type { KyselyPlugin, RootOperationNode } from 'kysely';
import { currentRequest } from '../audit/request-context.ts';
import { RATE_LIMITS } from '../config/limits.ts';

export type Statements = {
  readonly plugin: KyselyPlugin;
  /** The statements of requests since the last call, in their order; what jobs do is not among them. */
  take(): readonly string[];
};

export function watchStatements(): Statements {
  const kinds = new WeakMap<object, string>();
  let seen: string[] = [];
  return {
    plugin: {
      transformQuery({ node, queryId }) {
        kinds.set(queryId, `${node.kind} ${tablesOf(node)}${isAfterAnswer(node) ? AFTER : ''}`);
        return node;
      },
      // Statements that are written as text come here alone.
      async transformResult({ result, queryId }) {
        const kind = kinds.get(queryId) ?? 'text';
        if (currentRequest() && !kind.endsWith(AFTER)) seen.push(kind);
        return result;
      },
    },
    take() {
      const taken = seen;
      seen = [];
      return taken;
    },
  };
}

/** What is noted once the answer is out stands in no order with what follows. */
const AFTER = ' after';
const NOTED_AFTER = [
  `"${RATE_LIMITS.errorPerIp.name}:`,
  `"${RATE_LIMITS.refusalNotice.name}:`,
  '"request.refused"',
];
const isAfterAnswer = (node: RootOperationNode): boolean => {
  const text = JSON.stringify(node);
  return NOTED_AFTER.some((mark) => text.includes(mark));
};

function tablesOf(node: RootOperationNode): string {
  const names = JSON.stringify(node).matchAll(
    /"kind":"SchemableIdentifierNode","identifier":\{"kind":"IdentifierNode","name":"(\w+)"/g,
  );
  return [...new Set([...names].map(([, name]) => name))].join(',');
}
