import type { Figure } from '@querypost/answers'
import { expect, test } from 'vitest'
import { decideAnswer } from './agent-run-outcome.ts'

const figure = (text: string, isProven: boolean, reason: string | null = null): Figure => ({
  id: 'f1',
  text,
  isProven,
  value: isProven ? text : null,
  unit: isProven ? '' : null,
  runId: isProven ? 'run_1' : null,
  expression: isProven ? 'n' : null,
  start: 0,
  end: text.length,
  reason,
})
const usage = { inputTokens: 1, outputTokens: 2, steps: 3 }
const answer = (...figures: Figure[]) => ({ summary: 'So.', figures, usage })

test('a strict run fails if a figure is not proven, and names it', () => {
  const unproven = answer(figure('5', true), figure('12%', false, 'This number was not computed from a result.'), figure('up', false))
  expect(decideAnswer(unproven, { isStrict: true })).toEqual({
    status: 'failed',
    reason:
      'The automation is strict, and some of its summary could not be verified: “12%” (This number was not computed from a result.), “up”. The chat has the whole text.',
    usage,
  })
})

test('names at most three figures', () => {
  const many = answer(...['1', '2', '3', '4', '5'].map((text) => figure(text, false)))
  expect(decideAnswer(many, { isStrict: true })).toMatchObject({ reason: expect.stringContaining('“1”, “2”, “3” and 2 more.') as string })
})

test('otherwise the run completes with its answer', () => {
  const proven = answer(figure('5', true))
  const unproven = answer(figure('12%', false))
  expect(decideAnswer(proven, { isStrict: true })).toEqual({ status: 'completed', answer: proven })
  expect(decideAnswer(unproven, { isStrict: false })).toEqual({ status: 'completed', answer: unproven })
  expect(decideAnswer({ summary: 'So.' }, { isStrict: true })).toMatchObject({ status: 'completed' })
})
