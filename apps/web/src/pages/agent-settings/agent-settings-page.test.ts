import { QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { dataConnectorsOptions } from '../../api/data-connectors.ts'
import { type ModelSettings, modelSettingsOptions } from '../../api/model-settings.ts'
import { makeQueryClient } from '../../api/query-client.ts'
import { type Session, sessionOptions } from '../../api/session.ts'
import { AgentSettingsPage } from './agent-settings-page.tsx'

function html(role: Session['role']): string {
  const client = makeQueryClient()
  const organization = { id: 'org_1', name: 'Shop' }
  const session: Session = {
    user: { id: 'user_1', email: 'ada@shop.test', name: 'Ada' },
    organization,
    role,
    organizations: [{ ...organization, role }],
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
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, createElement(AgentSettingsPage)))
}

test('shows members the settings without a form, and admins the form', () => {
  const forMembers = html('member')
  expect(forMembers).toContain('Only admins can change these settings')
  expect(forMembers).toContain('scripted')
  expect(forMembers).toContain('Records')
  expect(forMembers).not.toMatch(/<(form|button|input)/)
  expect(html('admin')).toContain('<form')
})
