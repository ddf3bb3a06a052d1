import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusalCodes } from '../domain/refusal.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { errorDocs } from './error-docs.ts'
import { type ErrorCode, statusOf } from './errors.ts'

const codes = [...refusalCodes, 'internal_error'].toSorted() as ErrorCode[]
const document = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8')
/** A section is `## code`, then a line with its status, then the text. */
const sections = [...document.matchAll(/^## (\S+)\n\nHTTP (\d+)\. (.+)$/gm)]

let service: TestService
beforeAll(async () => {
  service = await startTestService('pglite', { worker: false })
})
afterAll(() => service.stop())

test('every code has a status and an explanation', () => {
  expect(Object.keys(statusOf).toSorted()).toEqual(codes)
  expect(Object.keys(errorDocs).toSorted()).toEqual(codes)
})

test('docs/errors.md explains every code, in the same words', () => {
  const headings = [...document.matchAll(/^## (.+)$/gm)].map(([, heading]) => String(heading))
  expect(headings.toSorted()).toEqual(codes)
  const written = Object.fromEntries(sections.map(([, code, status, text]) => [code, [Number(status), text]]))
  const spoken = Object.fromEntries(codes.map((code) => [code, [statusOf[code], errorDocs[code]]]))
  expect(written).toEqual(spoken)
})

test('the page that documentation_url leads to has a place for every code', async () => {
  const page = await service.app.inject('/docs/errors')
  expect(page.statusCode).toBe(200)
  const places = [...page.body.matchAll(/<h2 id="(\w+)"/g)].map(([, id]) => String(id))
  expect(places.toSorted()).toEqual(codes)
})
