import { QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { AgentRun } from '../../api/automation-runs.ts'
import type { Chat } from '../../api/chats.ts'
import { makeQueryClient } from '../../api/query-client.ts'
import { QuestionForm } from './question-form.tsx'

const at = '2026-01-01T00:00:00.000Z'
const run = { id: 'arun_1', trigger: 'person', requestedAt: at, startedAt: at, endedAt: null, reason: null } as const

function html(options: { canAsk: boolean; agent: AgentRun['agent']; status: AgentRun['status']; isAdmin?: boolean }): string {
  const { canAsk, agent, status, isAdmin = true } = options
  const chat = { shortId: 'abcdefghij', canAsk, run: { ...run, agent, status } } as Chat
  const form = createElement(QuestionForm, { chat, isBusy: status === 'running', isAdmin, onAsked: () => undefined })
  return renderToStaticMarkup(createElement(QueryClientProvider, { client: makeQueryClient() }, form))
}

test('with a model one can ask as soon as no agent is at work', () => {
  expect(html({ canAsk: true, agent: 'digest', status: 'completed' })).toMatch(/<textarea(?![^>]*disabled="")/)
  expect(html({ canAsk: false, agent: 'model', status: 'running' })).toMatch(/<textarea[^>]*disabled=""/)
})

test('nobody is told to set up a model while that is not known', () => {
  expect(html({ canAsk: false, agent: 'digest', status: 'running' })).toBe('')
  expect(html({ canAsk: false, agent: 'model', status: 'running' })).not.toContain('With a model')
})

test('without a model a quiet hint says who can set one up', () => {
  expect(html({ canAsk: false, agent: 'digest', status: 'completed' })).toContain('href="/settings/agents"')
  const forMember = html({ canAsk: false, agent: 'digest', status: 'failed', isAdmin: false })
  expect(forMember).toContain('An admin of your organization')
  expect(forMember).not.toContain('href')
})
