import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { type ErrorCode, errorCodes } from '../model/error-code.ts'

const codes = Object.keys(errorCodes).toSorted() as ErrorCode[]
const document = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8')
/** A section is `## code`, then a line with its status, then the text. */
const sections = [...document.matchAll(/^## (\S+)\n\nHTTP (\d+)\. (.+)$/gm)]

let service: TestService
beforeAll(async () => {
  service = await startTestService('postgres', { worker: false })
})
afterAll(() => service.stop())

test('docs/errors.md documents every code with the text of the table', () => {
  const headings = [...document.matchAll(/^## (.+)$/gm)].map(([, heading]) => String(heading))
  expect(headings.toSorted()).toEqual(codes)
  const written = Object.fromEntries(sections.map(([, code, status, text]) => [code, [Number(status), text]]))
  const expected = Object.fromEntries(codes.map((code) => [code, [errorCodes[code].status, errorCodes[code].about]]))
  expect(written).toEqual(expected)
})

test('the page of documentation_url has an anchor for every code', async () => {
  const page = await service.app.inject('/docs/errors')
  expect(page.statusCode).toBe(200)
  const places = [...page.body.matchAll(/<h2 id="(\w+)"/g)].map(([, id]) => String(id))
  expect(places.toSorted()).toEqual(codes)
})
