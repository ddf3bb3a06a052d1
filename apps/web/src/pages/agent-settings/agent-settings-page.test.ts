import { QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { dataConnectorsOptions } from '../../api/data-connectors.ts'
import { modelBudgetOptions, modelUsageOptions } from '../../api/model-budget.ts'
import { type ModelSettings, modelSettingsOptions } from '../../api/model-settings.ts'
import { makeQueryClient } from '../../api/query-client.ts'
import { type Session, sessionOptions } from '../../api/session.ts'
import { TooltipProvider } from '../../ui/tooltip.tsx'
import { AgentSettingsPage } from './agent-settings-page.tsx'

function html(role: Session['role']): string {
  const client = makeQueryClient()
  const organization = { id: 'org_1', name: 'Shop', chartPalette: null }
  const session: Session = {
    user: { id: 'user_1', email: 'ada@shop.test', name: 'Ada' },
    organization,
    role,
    organizations: [{ ...organization, role }],
    isViewedAs: false,
  }
  client.setQueryData<Session | null>(sessionOptions.queryKey, session)
  const updatedAt = '2026-01-01T00:00:00.000Z'
  const settings: ModelSettings = {
    provider: 'anthropic',
    baseUrl: 'https://models.test/v1',
    model: 'scripted',
    hasApiKey: true,
    updatedAt,
  }
  client.setQueryData<ModelSettings | null>(modelSettingsOptions.queryKey, settings)
  const connector = { id: 'connector_1', name: 'Records', url: null, headerNames: ['Authorization'] }
  client.setQueryData(dataConnectorsOptions.queryKey, [{ ...connector, enabled: false, createdAt: updatedAt, updatedAt }])
  const limits = [{ scope: 'person', period: 'day', unit: 'tokens', amount: 1000 }] as const
  client.setQueryData(modelBudgetOptions.queryKey, { currency: 'EUR', limits: [...limits], prices: [] })
  const use = { inputTokens: 700, outputTokens: 50, requestCount: 3, cost: null }
  const group = { ...use, days: [{ day: '2026-01-05', ...use }] }
  client.setQueryData(modelUsageOptions.queryKey, {
    from: '2026-01-01',
    days: 30,
    total: group,
    people: [{ id: 'user_1', name: 'Ada', ...group }],
    sources: [{ kind: 'chats', id: null, name: 'Chats', ...group }],
    models: [{ model: 'scripted', ...group }],
    spent: [{ scope: 'person', period: 'day', tokens: 750, money: 0 }],
  })
  const page = createElement(TooltipProvider, null, createElement(AgentSettingsPage))
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, page))
}

test('shows members the settings without a form, and admins the form', () => {
  const forMembers = html('member')
  expect(forMembers).toContain('Only admins can change these settings')
  expect(forMembers).toContain('scripted')
  expect(forMembers).toContain('Records')
  expect(forMembers).not.toMatch(/<(form|button|input)/)
  expect(html('admin')).toContain('<form')
})

test('shows members their own use and limits, and admins everyone’s', () => {
  const forMembers = html('member')
  expect(forMembers).toContain('750 tokens of 1,000 tokens')
  expect(forMembers).toContain('Tokens per day, most on 2026-01-05: 750')
  expect(forMembers).not.toContain('People')
  expect(html('admin')).toContain('People')
})
