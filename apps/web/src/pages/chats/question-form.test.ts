import { QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { AgentRun } from '../../api/automation-runs.ts'
import type { Chat } from '../../api/chats.ts'
import { makeQueryClient } from '../../api/query-client.ts'
import { TooltipProvider } from '../../ui/tooltip.tsx'
import { QuestionForm } from './question-form.tsx'

const at = '2026-01-01T00:00:00.000Z'
const run = { id: 'arun_1', trigger: 'person', requestedAt: at, startedAt: at, endedAt: null, reason: null, isStopped: false } as const

function html(options: { canAsk: boolean; agent: AgentRun['agent']; status: AgentRun['status']; isAdmin?: boolean }): string {
  const { canAsk, agent, status, isAdmin = true } = options
  const chat = { shortId: 'abcdefghij', canAsk, run: { ...run, agent, status } } as Chat
  const form = createElement(QuestionForm, { chat, isBusy: status === 'running', isAdmin, isAsking: false, onAsk: () => undefined })
  return renderToStaticMarkup(createElement(QueryClientProvider, { client: makeQueryClient() }, createElement(TooltipProvider, null, form)))
}

test('enables the question field with a model and no agent working', () => {
  expect(html({ canAsk: true, agent: 'digest', status: 'completed' })).toMatch(/<textarea(?![^>]*disabled="")/)
  expect(html({ canAsk: false, agent: 'model', status: 'running' })).toMatch(/<textarea[^>]*disabled=""/)
})

test('shows no hint about models while an agent is working', () => {
  expect(html({ canAsk: false, agent: 'digest', status: 'running' })).toBe('')
  expect(html({ canAsk: false, agent: 'model', status: 'running' })).not.toContain('Connect an AI model')
})

test('without a model, says who can connect one', () => {
  expect(html({ canAsk: false, agent: 'digest', status: 'completed' })).toContain('href="/settings/agents"')
  const forMember = html({ canAsk: false, agent: 'digest', status: 'failed', isAdmin: false })
  expect(forMember).toContain('An admin can connect one')
  expect(forMember).not.toContain('href')
})
