import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { snippetsFor } from './snippets.ts'

const endpointId = 'we_2Hq8Zr5KtWmN7cXvB3yPdL'

test.each(snippetsFor(endpointId))('$label names the endpoint and takes its secret from the environment', ({ text }) => {
  expect(text.split(endpointId)).toHaveLength(2)
  expect(text.indexOf(endpointId)).toBeLessThan(200)
  expect(text).toContain('QUERYPOST_WEBHOOK_SECRET')
  expect(text).not.toMatch(/whsec_[A-Za-z0-9+/]{2}/)
})

test.each(snippetsFor(endpointId))('$label has its page in the documentation', ({ name }) => {
  const page = readFileSync(new URL(`../../../../../docs/webhooks/${name}.md`, import.meta.url), 'utf8')
  expect(page).toContain('\n## In your framework\n')
})
