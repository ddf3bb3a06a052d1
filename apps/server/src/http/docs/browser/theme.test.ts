import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (place: string) => readFileSync(new URL(place, import.meta.url), 'utf8')
const valuesOf = (css: string) =>
  Object.fromEntries([...css.matchAll(/^\s+(--[\w-]+): (.+);$/gm)].map(([, name, value]) => [name!, value!]))

test('the documentation has the colors and fonts of the web app', () => {
  const product = valuesOf(read('../../../../../web/src/styles/theme.css'))
  const ours = valuesOf(read('documentation.css'))
  const { '--top': _, ...shared } = ours
  expect(Object.keys(shared).length).toBeGreaterThan(15)
  for (const [name, value] of Object.entries(shared)) expect(product[name], name).toBe(value)
})

test('the script reads the theme from where the web app stores it', () => {
  const key = /const key = ('[\w-]+')/.exec(read('../../../../../web/src/shell/theme.ts'))![1]!
  expect(read('theme.js')).toContain(`getItem(${key})`)
})
