import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { snippetsFor } from './snippets.ts'

const endpointId = 'we_2Hq8Zr5KtWmN7cXvB3yPdL'

test.each(snippetsFor(endpointId))('the $label snippet names the endpoint and reads its secret from the environment', ({ text }) => {
  expect(text.split(endpointId)).toHaveLength(2)
  expect(text.indexOf(endpointId)).toBeLessThan(200)
  expect(text).toContain('QUERYPOST_WEBHOOK_SECRET')
  expect(text).not.toMatch(/whsec_[A-Za-z0-9+/]{2}/)
})

test.each(snippetsFor(endpointId))('the $label snippet has a documentation page', ({ name }) => {
  const page = readFileSync(new URL(`../../../../../docs/webhooks/${name}.md`, import.meta.url), 'utf8')
  expect(page).toContain('\n## In your framework\n')
})
