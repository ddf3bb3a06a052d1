import { checkProof, type Proof, type ProofCheck } from '@querypost/answers'
import { CommandError, type Context, defineCommand } from '../command.ts'
import { asProof, runIdsOf } from '../proof/proof-file.ts'
import { readJson, readResults } from '../proof/read-results.ts'
import { readInput } from '../read-input.ts'

export const command = defineCommand({
  usage: '<proof.json> --results <folder>',
  description:
    'Computes every figure of a proof again from downloaded results, without a service, and compares it with the printed one. ' +
    'The proof is the response of `GET /api/automation-runs/:id/proof` or `GET /api/chats/:shortId/messages/:number/proof`; ' +
    '`querypost proof get` saves it with its results.\n\n' +
    'Results are files named <runId>.json in the folder, as the service returns them. Of a file <runId>.json.gz or .json.zst, with the bytes ' +
    'as they are stored, the hash is checked too. Exit code 0: all figures are proven; 1: one is not, or a result is missing.',
  examples: [
    { line: 'querypost proof check proof.json --results results', description: 'check all figures' },
    { line: 'querypost proof check - --results results --json', description: 'check a proof from standard input' },
  ],
  options: {
    results: { type: 'string', value: 'folder', default: '.', description: 'where the results are (default: the current directory)' },
  },
  common: ['json'],
  async run(context, { operands, options }) {
    const [file, ...rest] = operands
    if (file === undefined || rest.length > 0) throw new CommandError(2, 'Name one file with a proof, or - for standard input.')
    const proof = asProof(file, readJson(file, await readInput(context, file)))
    const results = await readResults(options.results, runIdsOf(proof))
    const check = checkProof(proof, results)
    print(context, proof, check)
    return check.isProven ? 0 : 1
  },
})

function print({ isJson, stdout, stderr, paint }: Context, proof: Proof, check: ProofCheck): void {
  for (const runId of check.missingRunIds) {
    stderr.write(`The result of ${runId} is missing. \`querypost proof get <run> --results <folder>\` downloads it while the service keeps it.\n`)
  }
  if (isJson) {
    stdout.write(`${JSON.stringify(check)}\n`)
    return
  }
  const width = Math.max(0, ...proof.figures.map(({ text }) => text.length))
  for (const [at, { isProven, problem }] of check.figures.entries()) {
    const { text, expression, runId } = proof.figures[at]!
    const mark = isProven ? paint.stdout.green('proven    ') : paint.stdout.red('not proven')
    const why = problem === null ? '' : `\n              → ${problem}`
    stdout.write(`  ${mark}  ${text.padEnd(width)}  ${runId}: ${expression}${why}\n`)
  }
  const provenCount = check.figures.filter(({ isProven }) => isProven).length
  stdout.write(`\n${provenCount} of ${proof.figures.length} figures are proven.\n`)
}
