import { expect, test } from 'vitest'
import type { Evaluation, EvaluationComparison, GivenProposal } from '../../api/evaluations.ts'
import { type TryDeps, tryChange } from './try-change.ts'

const proposal: GivenProposal = { kind: 'instructions', databaseId: null, text: 'Weeks start on Monday.' }
const running = (id: string) => ({ id, endedAt: null }) as Evaluation
const ended = (id: string) => ({ id, endedAt: '2026-01-05T09:00:00Z' }) as Evaluation

function world(baseline: Evaluation | null) {
  const calls: string[] = []
  const deps: TryDeps = {
    findBaseline: async () => baseline,
    async start(_, body) {
      calls.push(body.proposal ? 'start with the change' : 'start')
      return running(body.proposal ? 'tried' : 'new')
    },
    async read(id) {
      calls.push(`read ${id}`)
      return ended(id)
    },
    async compare(id, earlierId) {
      calls.push(`compare ${id} with ${earlierId}`)
      return {} as EvaluationComparison
    },
    pause: async () => undefined,
  }
  const steps: string[] = []
  const start = () => tryChange(deps, { setId: 'qset_1', proposal, onProgress: ({ step, evaluation }) => steps.push(`${step}: ${evaluation.id}`) })
  return { calls, deps, steps, start }
}

test('compares with the evaluation of the knowledge as it is', async () => {
  const { calls, start } = world(ended('known'))
  await start()
  expect(calls).toEqual(['start with the change', 'read tried', 'compare tried with known'])
})

test('evaluates the knowledge as it is first, if that was not done', async () => {
  const { calls, steps, start } = world(null)
  await start()
  expect(calls).toEqual(['start', 'read new', 'start with the change', 'read tried', 'compare tried with new'])
  expect(steps).toEqual(['as it is: new', 'as it is: new', 'with the change: tried', 'with the change: tried'])
})

test('stops when the person leaves', async () => {
  const { calls, deps, start } = world(null)
  deps.pause = () => Promise.reject(new Error('left'))
  await expect(start()).rejects.toThrow('left')
  expect(calls).toEqual(['start'])
})
