// `npm run provenance`: what the built portal was made of. To a file, or to stdout when none is named; `--builder URI` says
// who built it.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, run } from './processes.ts';
import { provenanceOf } from './provenance-statement.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { builder: { type: 'string', default: 'urn:porchlight:unnamed-builder' } },
});
const git = async (...words: string[]) => {
  const { code, output } = await run('git', ['-C', ROOT, ...words], { output: 'collect' });
  if (code !== 0) throw new Error(`git ${words.join(' ')} failed: provenance names a commit.`);
  return output.trim();
};

if ((await git('status', '--porcelain')) !== '') {
  console.error('The sources are not those of a commit: commit or remove what git status names.');
  process.exitCode = 1;
} else {
  const statement = provenanceOf(ROOT, {
    commit: await git('rev-parse', 'HEAD'),
    builder: values.builder,
  });
  const text = `${JSON.stringify(statement, null, 2)}\n`;
  const [file] = positionals;
  if (file === undefined) process.stdout.write(text);
  else writeFileSync(path.resolve(process.env.INIT_CWD ?? '.', file), text);
}
