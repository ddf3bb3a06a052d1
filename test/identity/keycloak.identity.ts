import { rm } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { freePort } from '@querypost/server/testing'
import { buildPages } from '../../scripts/build-pages.mjs'
import { openBrowser, visit, type Visitor } from '../e2e/browser.ts'
import { unpackStore } from '../first-start.ts'
import { newDataDirectory, type ServiceProcess, startServiceProcess, testPassword } from '../service-process.ts'
import { type KeycloakServer, realmPassword, startKeycloakServer } from './keycloak-server.ts'

/** Sign-in with Keycloak in a browser: roles, required single sign-on, signing out. The tests run in order and build on each other. */
let keycloak: KeycloakServer
let service: ServiceProcess
let dataDirectory: string
let baseURL: string
let browser: Browser
let visitors: Visitor[] = []

const adminRole = 'querypost-admin'

beforeAll(async () => {
  browser = await openBrowser()
  const port = String(await freePort())
  baseURL = `http://localhost:${port}`
  const users = [{ username: 'ada', roles: [adminRole] }, { username: 'bob', roles: [] }]
  keycloak = await startKeycloakServer({ redirectUri: `${baseURL}/app/api/oidc/callback`, users })
  buildPages()
  dataDirectory = await newDataDirectory()
  await unpackStore({ image: inject('pgliteImage'), dataDirectory })
  service = await startServiceProcess({
    dataDirectory,
    environment: {
      PORT: port,
      BASE_URL: baseURL,
      BOOTSTRAP_EMAIL: 'admin@localhost',
      OIDC_ISSUER: keycloak.issuer,
      OIDC_CLIENT_ID: keycloak.clientId,
      OIDC_CLIENT_SECRET: keycloak.clientSecret,
      OIDC_NAME: 'Keycloak',
      OIDC_ALLOWED_DOMAINS: 'acme.test',
      OIDC_ROLES_CLAIM: 'realm_access.roles',
      OIDC_ADMIN_ROLE: adminRole,
    },
  })
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
  await keycloak?.stop()
  await rm(dataDirectory, { recursive: true, force: true })
})
afterEach(async () => {
  const leaving = visitors
  visitors = []
  for (const visitor of leaving) await visitor.leave()
})

async function newVisitor(): Promise<Page> {
  // A context of its own: a reused one would still be signed in at Keycloak.
  const visitor = await visit(browser, { baseURL, locale: 'en-US' })
  visitors.push(visitor)
  return visitor.page
}

async function signInAtKeycloak(page: Page, username: string, password = realmPassword) {
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Continue with Keycloak' }).click()
  await page.getByLabel('Username or email').fill(username)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

async function signInWithPassword(page: Page, email: string) {
  await page.goto('/sign-in')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(testPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const sessionOf = async (page: Page) => (await (await page.request.get('/app/api/session')).json()) as { role: string; user: { name: string } }
const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' })

test('people sign in with Keycloak, and its roles decide who is an admin', async () => {
  const page = await newVisitor()
  await signInAtKeycloak(page, 'ada', 'a wrong password')
  await page.getByText('Invalid username or password').waitFor()
  await page.getByRole('textbox', { name: 'Password' }).fill(realmPassword)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await navigation(page).waitFor()
  expect(await sessionOf(page)).toMatchObject({ role: 'admin', user: { name: 'ada of Acme' } })

  const other = await newVisitor()
  await signInAtKeycloak(other, 'bob')
  await navigation(other).waitFor()
  expect(await sessionOf(other)).toMatchObject({ role: 'member' })
  await page.goto('/settings/members')
  await expect.poll(() => page.getByText('Role from the identity provider. Change it there.').count()).toBe(2)
})

test('a role that changes at Keycloak applies at the next sign-in', async () => {
  await keycloak.setRole('bob', adminRole, true)
  const page = await newVisitor()
  await signInAtKeycloak(page, 'bob')
  await navigation(page).waitFor()
  expect(await sessionOf(page)).toMatchObject({ role: 'admin' })
  await keycloak.setRole('bob', adminRole, false)
  const again = await newVisitor()
  await signInAtKeycloak(again, 'bob')
  await navigation(again).waitFor()
  expect(await sessionOf(again)).toMatchObject({ role: 'member' })
})

test('an admin requires single sign-on: passwords stop working, Keycloak continues to work', async () => {
  const byPassword = await newVisitor()
  await signInWithPassword(byPassword, 'admin@localhost')
  await navigation(byPassword).waitFor()

  const page = await newVisitor()
  await signInAtKeycloak(page, 'ada')
  await navigation(page).waitFor()
  await page.goto('/settings/organization')
  await page.getByRole('switch', { name: 'Require single sign-on' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Require single sign-on' }).click()
  await expect.poll(() => page.getByRole('switch', { name: 'Require single sign-on' }).getAttribute('aria-checked')).toBe('true')

  await byPassword.goto('/account')
  await byPassword.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await signInWithPassword(byPassword, 'admin@localhost')
  await byPassword.getByRole('alert').getByText('Sign in with Keycloak instead of a password').waitFor()
  const other = await newVisitor()
  await signInAtKeycloak(other, 'bob')
  await navigation(other).waitFor()
})

test('signing out ends the session', async () => {
  const page = await newVisitor()
  await signInAtKeycloak(page, 'ada')
  await navigation(page).waitFor()
  const cookies = await page.context().cookies(baseURL)
  await page.getByRole('button', { name: /ada of Acme/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await page.context().addCookies(cookies)
  expect((await page.request.get('/app/api/session')).status()).toBe(401)
})
