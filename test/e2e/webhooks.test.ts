import { verify } from '@querypost/webhooks'
import pg from 'pg'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectAccessible, expectNoSidewaysScrolling } from './accessible.ts'
import { sharedBrowser, type Visitor, visit } from './browser.ts'
import { describeJourneys, journey } from './journey.ts'
import { newOrganization, type Organization } from './organization.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { openAs, signIn } from './steps.ts'

/**
 * An admin uses the webhook pages of a real service that delivers to a real https receiver. The service's state is in PostgreSQL, so
 * a test can skip a day and a half of retries by changing due times. Nothing else is simulated.
 */
let receiver: Receiver
let service: Organization
let browser: Browser
let database: pg.Client
let visitor: Visitor
let page: Page

/** The tests run in order on the same endpoint, each building on the one before. */
let endpointPath: string
let secret: string

beforeAll(async () => {
  ;[service, browser] = await Promise.all([newOrganization('webhooks'), sharedBrowser()])
  receiver = await startReceiver(service.certificate)
  database = new pg.Client(service.databaseUrl)
  await database.connect()
})
afterAll(async () => {
  await database?.end()
  await receiver?.stop()
})
beforeEach(async () => {
  visitor = await visit(browser, { baseURL: service.baseUrl, permissions: ['clipboard-read', 'clipboard-write'] })
  page = visitor.page
})
afterEach(() => visitor.leave())

const heading = (name: string | RegExp) => page.getByRole('heading', { name })
const button = (name: string | RegExp) => page.getByRole('button', { name })
const panel = () => page.getByRole('dialog', { name: 'Delivery' })
const rows = () => page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem')
const get = async <Answer>(route: string) => (await (await page.request.get(`/app/api${route}`)).json()) as Answer
const post = async (route: string, data: object = {}) => page.request.post(`/app/api${route}`, { data })
const automationId = async () => (await get<{ items: { id: string }[] }>('/automations')).items[0]!.id
const endpointId = () => endpointPath.split('/').at(-1)!

/** Runs the sample automation to completion, as the “Run now” button does. */
async function runAutomation(): Promise<void> {
  const { id } = (await (await post(`/automations/${await automationId()}/runs`)).json()) as { id: string }
  const status = async () => (await get<{ status: string }>(`/automation-runs/${id}`)).status
  await expect.poll(status).toBe('completed')
}

const lastReceived = () => receiver.received.at(-1)!


const pendingCount = async () =>
  (await database.query(`select from webhook_deliveries where endpoint_id = $1 and state = 'pending'`, [endpointId()])).rowCount

/** Makes pending deliveries due now, optionally setting how many attempts they have had. */
const makeDue = (attemptCount?: number) =>
  database.query(
    `update webhook_deliveries set next_attempt_at = created_at, attempt_count = coalesce($2, attempt_count)
     where endpoint_id = $1 and state = 'pending'`,
    [endpointId(), attemptCount ?? null],
  )

test('adds an endpoint and delivers a webhook by following the pages', async () => {
  await openAs(page, service, '/')
  const step = page.getByRole('listitem').filter({ hasText: 'Send results to your app' })
  await step.getByRole('img', { name: 'To do' }).waitFor()
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await heading('No endpoints yet').waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Add endpoint' }).click()

  await heading('Add endpoint').waitFor()
  const url = page.getByLabel('URL')
  await url.fill('http://hooks.example.com/')
  await page.getByText('The URL must begin with https://.').waitFor()
  await url.fill('https://hooks.example.com/')
  await page.getByText('hooks.example.com must resolve to a publicly routable address: the name does not exist').waitFor()
  await button('Add endpoint').click()
  await page.getByRole('alert').filter({ hasText: 'the name does not exist' }).waitFor()
  await expect.poll(() => page.getByText('the name does not exist').count()).toBe(1)
  await url.fill('https://10.1.2.3/')
  await page.getByText(/not publicly routable: .*10\.0\.0\.0\/8/).waitFor()
  await expectAccessible(page)
  // Saving it anyway shows the error at the field and keeps the input.
  await button('Add endpoint').click()
  await page.getByRole('alert').filter({ hasText: 'not publicly routable' }).waitFor()
  await expect.poll(() => page.getByText('not publicly routable').count()).toBe(1)
  await expect.poll(() => url.inputValue()).toBe('https://10.1.2.3/')
  await url.fill(receiver.url)
  await page.getByText('This URL is allowed. It resolves to 127.0.0.1.').waitFor()
  await page.getByLabel('Description (optional)').fill('The order desk')
  await button('Add endpoint').click()

  await page.getByText('Follow these three steps').waitFor()
  endpointPath = new URL(page.url()).pathname
  secret = (await page.getByRole('note', { name: 'Signing secret' }).textContent())!
  expect(secret).toMatch(/^whsec_/)
  await button('Copy signing secret').click()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret)
  await expect.poll(() => page.getByRole('group', { name: 'Verification in TypeScript' }).textContent()).toContain(endpointId())
  for (const language of ['Python', 'Go', 'Ruby']) {
    await page.getByRole('tab', { name: language }).click()
    await expect.poll(() => page.getByRole('group', { name: `Verification in ${language}` }).textContent()).toContain(endpointId())
  }
  await expectAccessible(page)

  // The page's test button focuses the send button, and Enter presses it.
  await page.getByRole('button', { name: 'Test endpoint', exact: true }).click()
  await expect.poll(() => page.locator(':focus').textContent()).toBe('Send test event')
  await page.keyboard.press('Enter')
  await page.getByText('Your app accepted it.').waitFor()
  const { headers, body } = lastReceived()
  const event = await verify({ headers, body, secret })
  expect(event.data).toMatchObject({ automationName: 'Sample automation' })
  const sent = (await page.getByRole('group', { name: 'Request of attempt 1' }).textContent())!
  for (const name of ['svc-webhook-id', 'svc-webhook-timestamp', 'svc-webhook-signature']) {
    expect(sent).toContain(`${name}: ${headers[name]}`)
  }
  await expect.poll(() => page.getByRole('group', { name: 'Response of attempt 1' }).textContent()).toBe('thank you')

  await page.getByRole('link', { name: 'Automations' }).first().click()
  await page.getByRole('link', { name: 'Monday shop report' }).click()
  await button('Run now').click()
  await expect.poll(() => receiver.received.length).toBe(2)
  expect(await verify({ ...lastReceived(), secret })).toMatchObject({ type: 'automation.run.completed' })

  await page.goto(endpointPath)
  await rows().nth(1).waitFor()
  await expect.poll(() => rows().nth(0).textContent()).toMatch(/Delivered.*Run completed/)
  await expect.poll(() => rows().nth(1).textContent()).toMatch(/Delivered.*Test/)
  await expectAccessible(page)
  await page.goto('/settings/webhooks')
  await page.getByRole('link', { name: receiver.url }).waitFor()
  await page.getByText('100%').waitFor()
  await page.getByRole('img', { name: 'Deliveries over time: 1 delivered' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await step.getByRole('img', { name: 'Done' }).waitFor()
})

journey('shows every failed attempt and the next one, and resends once the receiver works', async () => {
  receiver.answer = { status: 500, body: 'out of order' }
  await openAs(page, service, endpointPath)
  await runAutomation()
  // The log updates itself.
  await rows().filter({ hasText: 'Retrying' }).waitFor()
  await page.getByRole('link', { name: 'Run completed' }).first().click()
  await panel().getByText('The endpoint responded with 500.').waitFor()
  await panel().getByText(/Attempt 2 of 8 is due/).waitFor()
  await expect.poll(() => panel().getByRole('group', { name: 'Response of attempt 1' }).textContent()).toBe('out of order')
  expect(new URL(page.url()).searchParams.get('delivery')).toMatch(/^dlv_/)
  await expectAccessible(page)

  await panel().getByRole('button', { name: 'Copy as curl' }).click()
  await panel().getByText('Copied').waitFor()
  const command = (await page.evaluate('navigator.clipboard.readText()')) as string
  expect(command).toContain(`curl --include --request POST '${receiver.url}'`)
  expect(command).not.toContain(secret)

  receiver.answer = { status: 204, body: '' }
  const failed = lastReceived()
  await panel().getByRole('button', { name: 'Resend delivery' }).click()
  await panel().getByText('Delivered').waitFor()
  expect(lastReceived().headers['svc-webhook-id']).toBe(failed.headers['svc-webhook-id'])
  expect(lastReceived().body.equals(failed.body)).toBe(true)
  await page.keyboard.press('Escape')
  await panel().waitFor({ state: 'detached' })

  // Searching for the event ID finds the original and the resent delivery.
  await page.getByLabel('Search by id').fill('monday')
  await page.getByRole('alert').filter({ hasText: 'evt_…' }).waitFor()
  await page.getByLabel('Search by id').fill(failed.headers['svc-webhook-id']!)
  await expect.poll(() => rows().count()).toBe(2)
  await page.getByLabel('State').selectOption('Delivered')
  await expect.poll(() => rows().count()).toBe(1)
  const { searchParams } = new URL(page.url())
  expect([searchParams.get('state'), searchParams.get('search')]).toEqual(['delivered', failed.headers['svc-webhook-id']])
  await page.reload()
  await expect.poll(() => rows().count()).toBe(1)
  await page.getByLabel('State').selectOption('Held')
  await button('Clear filters').click()
  await expect.poll(() => rows().count()).toBe(4)

  await makeDue()
  await expect.poll(pendingCount).toBe(0)
  await expect.poll(() => rows().filter({ hasText: 'Delivered' }).count()).toBe(4)
})

journey('rotates a secret without missing an event', async () => {
  await openAs(page, service, `${endpointPath}?tab=setup`)
  await page.getByRole('note', { name: 'Signing secret, hidden' }).waitFor()
  expect(await page.getByText(secret).count()).toBe(0)
  await button('Reveal signing secret').click()
  await expect.poll(() => page.getByRole('note', { name: 'Signing secret' }).textContent()).toBe(secret)
  await button('Rotate secret').click()
  const next = (await page.getByRole('note', { name: 'Next secret' }).textContent())!
  await button('Cancel rotation').click()
  await button('Rotate secret').click()
  const another = (await page.getByRole('note', { name: 'Next secret' }).textContent())!
  expect(another).not.toBe(next)
  await expectAccessible(page)

  const send = async () => {
    const before = receiver.received.length
    await button(/Send test event|Send another/).click()
    await expect.poll(() => receiver.received.length).toBe(before + 1)
  }
  await send()
  await verify({ ...lastReceived(), secret })
  await button('Switch to new secret').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Switch to new secret' }).click()
  await page.getByRole('heading', { name: 'Next secret created' }).waitFor({ state: 'detached' })
  await send()
  await verify({ ...lastReceived(), secret: another })
  await expect(verify({ ...lastReceived(), secret })).rejects.toMatchObject({ code: 'signature_mismatch' })
  secret = another
})

journey('counts many events before resending them', async () => {
  await openAs(page, service, endpointPath)
  await button('More actions').click()
  await page.getByRole('menuitem', { name: 'Resend events…' }).click()
  await page.getByText('No events match.').waitFor()
  await page.getByLabel(/^Delivered/).check()
  await page.getByText('2 events will be resent.').waitFor()
  await expectAccessible(page)
  await page.getByLabel('Run completed').uncheck()
  await page.getByText('No events match.').waitFor()
  await page.getByLabel('Run completed').check()
  const before = receiver.received.length
  await button('Resend 2 events').click()
  await page.getByText('Resending 2 events.').first().waitFor()
  await expect.poll(() => receiver.received.length).toBe(before + 2)
})

describeJourneys('a disabled endpoint', () => {
  journey('after five failed events in a row, says why and sends the held events', async () => {
    receiver.answer = { status: 503, body: 'gone fishing' }
    await openAs(page, service, endpointPath)
    const { items } = await get<{ items: { id: string; isTest: boolean }[] }>(`/webhook-endpoints/${endpointId()}/deliveries`)
    const { id } = items.find(({ isTest }) => !isTest)!
    for (let count = 0; count < 5; count += 1) expect((await post(`/deliveries/${id}/resend`)).status()).toBe(202)
    const health = async () => (await get<{ health: { retrying: number } }>(`/webhook-endpoints/${endpointId()}`)).health
    await expect.poll(health).toMatchObject({ retrying: 5 })
    // A day and a half later, seven attempts have failed and the eighth is due.
    await makeDue(7)
    await heading('This endpoint is disabled').waitFor({ timeout: 60_000 })
    await page.getByText(/5 events in a row failed all 8 attempts\. Last failure: The endpoint responded with 503/).waitFor()
    await expectAccessible(page)

    const notifications = await get<{ items: { kind: string; link: string }[] }>('/notifications')
    expect(notifications.items.find(({ kind }) => kind === 'endpoint_disabled')?.link).toBe(endpointPath)

    await runAutomation()
    await rows().filter({ hasText: 'Held' }).first().waitFor()
    receiver.answer = { status: 200, body: 'back again' }
    const before = receiver.received.length
    await button(/^Enable and send held events \(1\)/).click()
    await heading('This endpoint is disabled').waitFor({ state: 'detached' })
    await expect.poll(() => receiver.received.length).toBe(before + 1)
  })

  journey('can be enabled again with Undo, and can be deleted', async () => {
    await openAs(page, service, endpointPath)
    await button('More actions').click()
    await page.getByRole('menuitem', { name: 'Disable endpoint' }).click()
    await page.getByText(/^Disabled by /).waitFor()
    await button('Undo').click()
    await heading('This endpoint is disabled').waitFor({ state: 'detached' })

    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByLabel('Description (optional)').fill('The other desk')
    await button('Save changes').click()
    await page.getByText('The other desk').first().waitFor()
    await expectAccessible(page)

    const doomed = await post('/webhook-endpoints', { url: `${receiver.url}/second`, eventTypes: ['automation.run.failed'] })
    await page.goto(`/settings/webhooks/${((await doomed.json()) as { id: string }).id}`)
    await heading('No deliveries yet').waitFor()
    await button('More actions').click()
    await page.getByRole('menuitem', { name: 'Delete endpoint…' }).click()
    await button('Delete endpoint').click()
    await heading('Webhooks').waitFor()
    await page.getByRole('link', { name: receiver.url, exact: true }).waitFor()
    expect(await page.getByRole('link', { name: `${receiver.url}/second` }).count()).toBe(0)
  })
})

journey('is accessible in dark mode and on a narrow screen', async () => {
  await visitor.leave()
  visitor = await visit(browser, {
    baseURL: service.baseUrl,
    colorScheme: 'dark',
    viewport: { width: 390, height: 844 },
  })
  page = visitor.page
  await openAs(page, service, '/settings/webhooks')
  await page.getByRole('link', { name: receiver.url, exact: true }).waitFor()
  await expectAccessible(page)
  await expectNoSidewaysScrolling(page)
  for (const search of ['', '?tab=setup', '?tab=settings']) {
    await page.goto(`${endpointPath}${search}`)
    await page.getByRole('tablist', { name: 'Endpoint' }).waitFor()
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
    await expectAccessible(page)
    await expectNoSidewaysScrolling(page)
  }
  await page.goto(endpointPath)
  await page.getByRole('link', { name: 'Run completed' }).first().click()
  await panel().getByText('Attempt 1').first().waitFor()
  await expectAccessible(page)
  await expectNoSidewaysScrolling(page)
  await page.goto('/settings/webhooks/new')
  await heading('Add endpoint').waitFor()
  await expectNoSidewaysScrolling(page)
})

journey('lets an admin turn on webhooks, and tells a member whom to ask', async () => {
  await signIn(page, service)
  await page.request.patch('/app/api/organization', { data: { webhooksEnabled: false } })
  await page.goto(endpointPath)
  await heading('Webhooks are off').waitFor()
  await expectAccessible(page)
  await button('Turn on webhooks').click()
  await rows().first().waitFor()

  await page.goto('/settings/webhooks/we_nothing')
  await heading('Page not found').waitFor()

  await database.query(`update memberships set role = 'member' where organization_id = $1`, [service.organizationId])
  for (const path of ['/settings/webhooks', '/settings/webhooks/new', endpointPath]) {
    await page.goto(path)
    await page.getByText('Only admins can manage webhooks.').waitFor()
  }
  await expectAccessible(page)
})
