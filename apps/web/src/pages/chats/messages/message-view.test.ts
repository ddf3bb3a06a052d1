import { QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Chat, Figure, Message } from '../../../api/chats.ts'
import { makeQueryClient } from '../../../api/query-client.ts'
import { TooltipProvider } from '../../../ui/tooltip.tsx'
import { MessageView } from './message-view.tsx'

/** The fields that differ between kinds of messages. */
type Content<Of> = Of extends Message ? Omit<Of, 'number' | 'createdAt' | 'revision' | 'agentRunId' | 'user'> : never
type MessageContent = Content<Message>

const at = '2026-01-01T00:00:00.000Z'
const origin = 'https://querypost.test'

beforeAll(() => void vi.stubGlobal('window', { location: { origin } }))
afterAll(() => void vi.unstubAllGlobals())

function html(content: MessageContent, changes: Partial<Message> = {}): string {
  const base = { number: 2, createdAt: at, revision: 2, agentRunId: 'arun_1', user: null }
  const message = { ...base, ...content, ...changes } as Message
  const instruction = { ...base, number: 1, kind: 'instruction', text: 'Look.' } as Message
  const chat: Chat = {
    shortId: 'abcdefghij',
    title: 'Weekly',
    url: `${origin}/chats/abcdefghij`,
    createdAt: at,
    updatedAt: at,
    revision: 2,
    automation: { id: 'automation_1', name: 'Weekly' },
    startedBy: null,
    run: null,
    canAsk: true,
    canEdit: true,
    leaf: 1,
    branches: [],
    hasEarlier: false,
    messages: [instruction, message],
  }
  const view = createElement(MessageView, { message, chat })
  return renderToStaticMarkup(createElement(QueryClientProvider, { client: makeQueryClient() }, createElement(TooltipProvider, null, view)))
}

const written = { figures: [], followUps: [], feedback: null }
const figure = (changes: Partial<Figure>): Figure => ({
  id: 'f1',
  text: '12',
  isProven: true,
  value: '12',
  unit: '',
  runId: 'run_1',
  expression: 'sum(orders)',
  start: 0,
  end: 2,
  reason: null,
  ...changes,
})
const evil = '<img src=x onerror=alert(1)>'
const preview = { fields: [{ name: evil, type: 'string' as const }], rows: [[evil]] }
const queryRun = {
  kind: 'query_run',
  runId: 'run_1',
  reference: { shortId: 'bcdefghijk', title: evil },
  sql: `select '${evil}'`,
  parameterValues: { country: evil },
  status: 'completed',
  rowCount: 1200,
  preview,
  failureReason: null,
} as const
const visualization = { type: 'bar', jsxConfig: '', marginConfig: { top: 0, right: 0, bottom: 0, left: 0 } } as const

test.each<MessageContent>([
  { kind: 'instruction', text: evil },
  { kind: 'question', text: evil, follows: null },
  { kind: 'note', text: evil },
  { kind: 'text', text: evil, ...written },
  { kind: 'summary', text: evil, ...written },
  { kind: 'answer', text: `[${evil}](${evil})`, ...written },
  { kind: 'answer', text: evil, ...written, figures: [figure({ text: evil, isProven: false, end: evil.length, reason: evil })] },
  queryRun,
  { ...queryRun, status: 'failed', failureReason: evil },
  { kind: 'tool_call', tool: evil, connector: evil, input: evil, status: 'completed', output: evil },
  { kind: 'chart', title: evil, runId: 'run_1', visualization, preview },
  { kind: 'reference', shortId: 'bcdefghijk', title: evil },
  { kind: 'failure', reason: evil },
])('escapes HTML in messages of kind $kind', (content) => {
  const page = html(content)
  expect(page).toContain('&lt;img src=x')
  expect(page).not.toContain('<img')
})

test('links a query run to its query and run and shows the row count', () => {
  const page = html(queryRun)
  expect(page).toContain('href="/q/bcdefghijk"')
  expect(page).toContain('href="/runs/run_1"')
  expect(page).toMatch(/1.200 rows/)
  expect(page).toContain('Showing 1 of')
})

test('shows why a query could not start, without links', () => {
  const nothing = { runId: null, reference: null, sql: null, parameterValues: {}, rowCount: null, preview: null }
  const page = html({ ...queryRun, ...nothing, status: 'failed', failureReason: 'The parameter is missing.' })
  expect(page).not.toContain('<a')
  expect(page).not.toContain('<details')
  expect(page).toContain('The parameter is missing.')
})

test('links a failed run to its automation and suggests asking again after a failed answer', () => {
  expect(html({ kind: 'failure', reason: 'No.' })).toContain('href="/automations/automation_1"')
  const answer = html({ kind: 'failure', reason: 'No.' }, { agentRunId: 'arun_2' })
  expect(answer).toContain('Ask again')
  expect(answer).not.toContain('href')
})

test('shows a stop by a person without an alert', () => {
  const page = html({ kind: 'failure', reason: 'Stopped by Grace.', isStopped: true })
  expect(page).toContain('Stopped by Grace.')
  expect(page).not.toMatch(/alert|danger|href/)
})

test('pretty-prints tool input and shows invalid JSON unchanged', () => {
  const call = { kind: 'tool_call', tool: 'run_sql', connector: null, status: 'failed', output: null } as const
  expect(html({ ...call, input: '{"sql":"select 1"}' })).toContain('{\n  &quot;sql&quot;: &quot;select 1&quot;\n}')
  expect(html({ ...call, input: '{"sql":' })).toContain('>{&quot;sql&quot;:</pre>')
})

test('links a proven figure to its run, and marks an unproven one', () => {
  const text = `Sold [12](${origin}/runs/run_1), returned ~~7~~.`
  const figures = [figure({ start: 6, end: 8 }), figure({ id: 'f2', isProven: false, start: text.indexOf('7'), end: text.indexOf('7') + 1, runId: null })]
  const page = html({ kind: 'answer', text, ...written, figures })
  expect(page).toMatch(/Sold <a href="\/runs\/run_1"[^>]*data-figure="proven"[^>]*>12<\/a>, returned/)
  expect(page).toMatch(/<del[^>]*>7<\/del> <button[^>]*>not verified<\/button>/)
  expect(page).toContain('1 of 2 figures not verified')
  expect(page).not.toContain('~~')
})
