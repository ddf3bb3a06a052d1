import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import type { TestService } from '../test-service.ts'

/** Helpers for tests about people. */

export type Cookies = Record<string, string>

export const newPassword = 'another good password'

/** Requests without a session, or with these cookies. */
export function anyone(service: TestService, cookies: Cookies = {}) {
  return {
    get: (url: string) => service.app.inject({ url, cookies }),
    post: (url: string, payload: object = {}) => service.app.inject({ method: 'POST', url, payload, cookies }),
    delete: (url: string) => service.app.inject({ method: 'DELETE', url, cookies }),
  }
}

/** The cookies of an answer that signed a user in. */
export function signedInBy(answer: LightMyRequestResponse): Cookies {
  expect([answer.statusCode, answer.body]).toEqual([204, ''])
  const cookies = Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value]))
  expect(cookies).toEqual({
    querypost_session: expect.stringMatching(/^[\w-]{43}$/),
    querypost_device: expect.stringMatching(/^[\w.-]{100,}$/),
  })
  return cookies
}

/** The sorted statuses of concurrent answers. */
export const statusesOf = (answers: LightMyRequestResponse[]) =>
  answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)

export const tokenIn = (url: string) => url.split('#')[1]!
