import { QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { makeQueryClient } from '../../api/query-client.ts'
import { signInOptionsOptions } from '../../api/session.ts'
import { ForgottenPasswordPage } from './forgotten-password-page.tsx'

function html(canResetPassword: boolean): string {
  const client = makeQueryClient()
  client.setQueryData(signInOptionsOptions.queryKey, { oidc: null, canResetPassword })
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, createElement(ForgottenPasswordPage)))
}

test('without e-mail, shows administrators the command for a reset link', () => {
  expect(html(false)).toContain('npx querypost reset-password you@example.com')
  expect(html(false)).not.toContain('<form')
})

test('with e-mail, asks for the address', () => {
  expect(html(true)).toContain('<form')
  expect(html(true)).not.toContain('npx querypost')
})
