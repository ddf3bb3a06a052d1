import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Session } from '../../api/session.ts'
import { AgentSettingsPage } from './agent-settings-page.tsx'

const session = (role: Session['role']): Session => ({
  user: { id: 'user_1', email: 'ada@shop.test', name: 'Ada' },
  organization: { id: 'org_1', name: 'Shop' },
  role,
})
const html = (role: Session['role']) => renderToStaticMarkup(createElement(AgentSettingsPage, { session: session(role) }))

test('members read that admins set this up, and see no form; admins see it', () => {
  expect(html('member')).toContain('Only admins of Shop')
  expect(html('member')).not.toContain('<form')
  expect(html('admin')).toContain('<form')
})
