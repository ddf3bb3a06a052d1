import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Example } from './examples.ts'
import { root } from './markdown-files.ts'

/** The globals of every example (see typescript-process.ts). */
const globals = `declare const client: import('@querypost/client').Querypost
declare const queryId: string, shortId: string, automationId: string, runId: string, queryRunId: string, keptShortId: string, databaseId: string, chat: string, board: string, folderId: string, ownAutomationId: string, endpointId: string, metricId: string
declare const questionSetId: string, evaluationId: string, earlierEvaluationId: string
`

const options = {
  extends: path.join(root, 'tsconfig.json'),
  // Allow `process.env.NAME` in examples.
  compilerOptions: {
    moduleDetection: 'force',
    noPropertyAccessFromIndexSignature: false,
    noUnusedLocals: false,
    typeRoots: [path.join(root, 'node_modules/@types')],
  },
  include: ['*.ts'],
}

/** Type-checks the TypeScript examples. Resolves with the compiler's output, which is empty if there are no errors. */
export async function checkTypes(examples: Pick<Example, 'place' | 'code'>[]): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'querypost-types-'))
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(options))
  await writeFile(path.join(folder, 'globals.d.ts'), globals)
  for (const { place, code } of examples) {
    await writeFile(path.join(folder, `${place.replaceAll(/\W/g, '-')}.ts`), code)
  }
  const output = await new Promise<string>((resolve) => {
    const tsc = path.join(root, 'node_modules/.bin/tsc')
    // Several threads would check shared types several times.
    const args = ['-p', folder, '--pretty', 'false', '--singleThreaded']
    execFile(tsc, args, { cwd: folder, env: { ...process.env, GOMAXPROCS: '1', GOGC: '400' } }, (_, stdout, stderr) => resolve(`${stdout}${stderr}`))
  })
  await rm(folder, { recursive: true, force: true })
  return output.trim()
}
