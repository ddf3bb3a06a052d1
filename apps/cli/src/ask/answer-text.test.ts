import { expect, test } from 'vitest'
import { makePaint } from '../paint.ts'
import { answerText, figureLines } from './answer-text.ts'

const plain = makePaint({ isTerminal: false, environment: {} })

test('shows an answer without the marks of Markdown', () => {
  const markdown = '## Orders\n\n**[1,234](http://localhost:3000/runs/run_1)** orders in `orders`\\_2025, ~~up 3%~~.\n'
  expect(answerText(markdown, plain)).toBe('Orders\n\n1,234 orders in orders_2025, up 3% (not verified).')
})

test('prints bold text in bold', () => {
  const paint = makePaint({ isTerminal: true, environment: {} })
  expect(answerText('**Ten.**', paint)).toBe('\u001b[1mTen.\u001b[22m')
})

test('removes control characters that data may contain', () => {
  expect(answerText('Ten\u001b[2J\r orders\u009b.\n', plain)).toBe('Ten[2J orders.')
})

test('lists the runs of proven figures, each once', () => {
  const figure = (text: string, runId: string | null) => ({
    id: 'f1', text, isProven: runId !== null, value: null, unit: null, runId, expression: null, start: 0, end: 1, reason: null,
  })
  const figures = [figure('10', 'run_1'), figure('20', 'run_2'), figure('30', 'run_1'), figure('10', 'run_1'), figure('99', null)]
  expect(figureLines({ figures }, 'http://localhost:3000')).toEqual([
    '10, 30  http://localhost:3000/runs/run_1',
    '20  http://localhost:3000/runs/run_2',
  ])
})
