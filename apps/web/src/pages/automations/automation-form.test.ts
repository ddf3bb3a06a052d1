import { QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { makeQueryClient } from '../../api/query-client.ts'
import { AutomationForm } from './automation-form.tsx'
import { newDraft } from './draft.ts'

function html(agent: 'digest' | 'model'): string {
  const form = createElement(AutomationForm, {
    initial: { ...newDraft('UTC'), agent, instructions: 'Reply in French.' },
    saveLabel: 'Create automation',
    onSave: async () => undefined,
    onCancel: () => undefined,
  })
  return renderToStaticMarkup(createElement(QueryClientProvider, { client: makeQueryClient() }, form))
}

test('says before saving that the digest agent doesn’t follow instructions', () => {
  expect(html('digest')).toContain('The digest agent doesn’t follow instructions.')
  expect(html('model')).not.toContain('The digest agent')
})
