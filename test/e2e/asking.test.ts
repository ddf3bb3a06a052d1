import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '@querypost/server/testing'
import { expectAccessible, expectNoSidewaysScrolling } from './accessible.ts'
import { sharedBrowser, visit, type Visitor } from './browser.ts'
import { journey } from './journey.ts'
import { newOrganization, type Organization } from './organization.ts'
import { joinAsMember, openAs, signIn, storeQueryWithReference } from './steps.ts'

/** Asking questions in a real browser, with the sample shop and a scripted model. */
let service: Organization
let browser: Browser
let model: ModelServer
let visitor: Visitor
let page: Page

beforeAll(async () => {
  browser = await sharedBrowser()
  model = await startModelServer()
  service = await newOrganization('asking')
})
afterAll(() => model?.close())
beforeEach(async () => {
  visitor = await visit(browser, { baseURL: service.baseUrl })
  page = visitor.page
})
afterEach(() => {
  model.forget()
  return visitor.leave()
})

const phone = { width: 360, height: 740 }
const box = () => page.getByRole('textbox', { name: 'Ask about your data' })
const followUp = () => page.getByRole('textbox', { name: 'Ask a follow-up question' })
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const region = (name: string) => page.getByRole('region', { name })
const heading = (name: string | RegExp) => page.getByRole('heading', { name })
const messages = () => page.getByRole('list', { name: 'Messages' })
const answers = () => messages().locator('[data-kind=answer]')
const versions = () => page.getByRole('group', { name: 'Versions of this question' })
const pathNow = () => new URL(page.url()).pathname

/** Signs in to an organization with a model. */
async function signInWithModel(): Promise<void> {
  await signIn(page, service)
  const data = { provider: 'openai_compatible', baseUrl: model.url, model: 'scripted', apiKey: 'secret' }
  const answer = await page.request.put('/app/api/model-settings', { data })
  expect(answer.status(), await answer.text()).toBeLessThan(300)
}

async function databaseId(): Promise<string> {
  const { items } = (await (await page.request.get('/app/api/databases')).json()) as { items: { id: string }[] }
  return items[0]!.id
}

/** Starts a chat through the routes of the web app, with the model's answer, and waits for it. Resolves with the path of the chat. */
async function startChat(question: string, answer = 'As scripted.'): Promise<string> {
  model.script({ text: answer })
  const started = await page.request.post('/app/api/chats', { data: { text: question } })
  const { shortId } = (await started.json()) as { shortId: string }
  await answered(shortId)
  return `/chats/${shortId}`
}

async function answered(shortId: string): Promise<void> {
  const canAsk = async () => ((await (await page.request.get(`/app/api/chats/${shortId}`)).json()) as { canAsk: boolean }).canAsk
  await expect.poll(canAsk).toBe(true)
}

journey('without a model, finds saved queries by the words of a question, runs them, and says how to connect one', async () => {
  await openAs(page, service, '/')
  await heading('What would you like to know?').waitFor()
  await region('Saved queries').getByRole('link', { name: 'Connect a model' }).waitFor()
  await page.getByRole('list', { name: 'Example questions' }).getByRole('button').first().click()
  await region('Saved queries').getByRole('listitem').first().waitFor()
  await box().fill('Which were the biggest orders of the warehouse in Oslo?')
  const found = region('Saved queries').getByRole('link', { name: /^Biggest orders/ })
  await found.waitFor()
  await expectAccessible(page)
  // Enter searches, too, and leaves the question in place.
  await box().press('Enter')
  expect(pathNow()).toBe('/')
  await button('Run Biggest orders').click()
  await heading('Biggest orders').waitFor()
  await page.getByText(/^\d+ rows$/).waitFor()

  await box().or(page.getByRole('link', { name: 'Home', exact: true })).first().click()
  await box().fill('xyzzy')
  await region('Saved queries').getByText('No saved query has these words.').waitFor()

  const member = await visit(browser, { baseURL: service.baseUrl, viewport: phone, colorScheme: 'dark' })
  await joinAsMember(member.page, page, { name: 'Grace' })
  await member.page.goto('/')
  await member.page.getByText('Ask an admin to connect one.').waitFor()
  await expectAccessible(member.page)
  await expectNoSidewaysScrolling(member.page)
  await member.leave()
})

test('asks from the home page, shows what the agent does, and puts the answer above its steps', async () => {
  await signInWithModel()
  await page.goto('/')
  const example = page.getByRole('list', { name: 'Example questions' }).getByRole('button').first()
  const question = (await example.textContent())!
  await example.click()
  await expect.poll(() => box().inputValue()).toBe(question)
  expect(await box().evaluate((element) => element === document.activeElement)).toBe(true)
  await box().fill('Which countries have the most customers?')
  await box().press('Shift+Enter')
  await box().pressSequentially('Then post it to Slack.')
  await page.getByRole('list', { name: 'Not possible' }).getByText('Slack').waitFor()
  await expectAccessible(page)
  await box().fill('Which countries have the most customers?')
  await page.getByRole('list', { name: 'Not possible' }).getByText('Slack').waitFor({ state: 'detached' })

  const sql = 'select country, count(*) as customers from customers group by 1 order by 2 desc limit 5'
  const asked = model.requests.length
  model.script(
    { text: 'I look at the tables first.', toolCalls: [{ name: 'list_tables', input: {} }] },
    { toolCalls: [{ name: 'run_sql', input: { databaseId: await databaseId(), sql } }] },
    'hang',
  )
  await box().press('Enter')
  await page.waitForURL('**/chats/*')
  await heading('Which countries have the most customers?').first().waitFor()
  await page.getByRole('status').getByText('Reading the result…').waitFor()
  await page.getByText('Steps so far').click()
  await messages().getByText('I look at the tables first.').waitFor()
  // Stopped before its last request, it would leave the rest of the script to the next question.
  await model.seen(asked + 3)
  await button('Stop').click()
  await messages().getByRole('status').getByText('Stopped by').waitFor()

  model.script(
    { toolCalls: [{ name: 'run_sql', input: { databaseId: await databaseId(), sql } }] },
    { text: 'Most customers live **somewhere**.' },
  )
  await followUp().fill('Try once more.')
  await button('Send question').click()
  await answers().getByText('somewhere').waitFor()
  await expect.poll(() => followUp().inputValue()).toBe('')
  await expect.poll(() => followUp().isEnabled()).toBe(true)
  // The rows are shown below the answer, and the steps are folded.
  await expect.poll(() => messages().locator('[data-kind=table]').getByRole('row').count()).toBe(6)
  const steps = messages().locator('[data-kind=query_run]').last()
  expect(await steps.isVisible()).toBe(false)
  await messages().getByText('How this was answered').last().click()
  await steps.getByText('5 rows').waitFor()
  await steps.locator('summary').first().click()
  await expectAccessible(page)
  await page.setViewportSize(phone)
  await expectNoSidewaysScrolling(page)
})

journey('a link and the command menu fill in the box, and nothing is asked until the person sends it', async () => {
  await signInWithModel()
  await page.goto(`/ask?${new URLSearchParams({ q: 'What sold best?' })}`)
  await heading('Ask').waitFor()
  await expect.poll(() => box().inputValue()).toBe('What sold best?')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('xyzzy of last week')
  await page.getByRole('option', { name: 'Ask: xyzzy of last week' }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => box().inputValue()).toBe('xyzzy of last week')
  expect(pathNow()).toBe('/ask')

  await page.goto('/chats')
  await page.getByRole('link', { name: 'New chat' }).waitFor()
  await page.keyboard.press('n')
  await page.waitForURL('**/ask')
  await page.goto('/chats')
  await page.getByRole('link', { name: 'New chat' }).click()
  model.script({ text: 'I cannot tell.' })
  await box().fill('What sold?')
  await button('Ask').click()
  await answers().getByText('I cannot tell.').waitFor()
  await page.getByRole('link', { name: 'Chats', exact: true }).click()
  await page.getByRole('link', { name: /^What sold\?/ }).waitFor()
})

journey('edits a question into a branch, asks again, and reaches every version', async () => {
  await signInWithModel()
  await page.goto(await startChat('How many orders?', 'Alpha.'))
  await answers().getByText('Alpha.').waitFor()
  model.script({ text: 'Bravo.' })
  await followUp().fill('Why?')
  await followUp().press('Enter')
  await answers().getByText('Bravo.').waitFor()
  await expect.poll(() => button('Edit question').count()).toBe(2)

  await button('Edit question').first().click()
  await page.getByRole('textbox', { name: 'Edit question' }).fill('How many orders in May?')
  model.script({ text: 'Charlie.' })
  await button('Ask').click()
  await answers().getByText('Charlie.').waitFor()
  await expect.poll(() => answers().count()).toBe(1)
  await versions().getByText('2 of 2').waitFor()
  model.script({ text: 'Delta.' })
  await button('Ask again').click()
  await answers().getByText('Delta.').waitFor()
  await versions().getByText('3 of 3').waitFor()
  await expectAccessible(page)

  // A version is shown with everything that was asked after it, and can be shared.
  await button('Previous version').click()
  await answers().getByText('Charlie.').waitFor()
  await button('Previous version').click()
  await answers().getByText('Bravo.').waitFor()
  await expect.poll(() => answers().count()).toBe(2)
  expect(new URL(page.url()).search).toBe('?leaf=1')
  expect(await button('Previous version').isDisabled()).toBe(true)
  await page.reload()
  await answers().getByText('Bravo.').waitFor()
  model.script({ text: 'Echo.' })
  await followUp().fill('And now?')
  await followUp().press('Enter')
  await answers().getByText('Echo.').waitFor()
  await expect.poll(() => answers().allTextContents()).toEqual(['Alpha.', 'Bravo.', 'Echo.'].map((text) => expect.stringContaining(text)))
  expect(new URL(page.url()).search).toBe('')
})

test('shows proven and unproven figures, with their proof on hover, focus and tap', async () => {
  await signInWithModel()
  const path = await startChat('How many orders?')
  const counted = await storeQueryWithReference(page, { title: 'Counted orders', sql: 'select 12 as orders' })
  const { id: runId } = (await (await page.request.post(`/app/api/references/${counted}/runs`)).json()) as { id: string }
  const text = `There were [12](${service.baseUrl}/runs/${runId}) orders and ~~seven~~ returns.`
  const span = (part: string) => ({ start: text.indexOf(part), end: text.indexOf(part) + part.length, text: part })
  const figures = [
    { id: 'f1', ...span('12'), isProven: true, value: '12', unit: '', runId, expression: 'count(*)', reason: null },
    { id: 'f2', ...span('seven'), isProven: false, value: null, unit: null, runId: null, expression: null, reason: 'No result contains it.' },
  ]
  const addFigures = async (shown: Page) => {
    await shown.route(`**/app/api${path}`, async (route) => {
      const response = await route.fetch()
      const chat = (await response.json()) as { messages: { kind: string }[] }
      for (const message of chat.messages) if (message.kind === 'answer') Object.assign(message, { text, figures, followUps: ['And in May?'] })
      await route.fulfill({ response, json: chat })
    })
    await shown.goto(path)
  }
  await addFigures(page)
  await answers().getByText('1 of 2 figures not verified').waitFor()
  const figure = answers().getByRole('link', { name: '12' })
  await figure.hover()
  const proof = page.locator('[data-side]').filter({ hasText: 'count(*)' })
  await proof.getByRole('link', { name: 'Open run' }).waitFor()
  // The proof stays open while the mouse moves towards it, and the page has to notice the first move before it judges the next.
  // Away from the top left, where a proof is before it has its place.
  await expect
    .poll(async () => {
      await page.mouse.move(1000, 700)
      await page.mouse.move(1001, 701)
      return await proof.count()
    })
    .toBe(0)
  await figure.focus()
  await proof.waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Tab')
  await page.locator('[data-side]').getByText('No result contains it.').first().waitFor()
  await expect.poll(() => answers().locator('del').textContent()).toBe('seven')
  expect(await page.getByRole('link', { name: 'How figures are verified' }).getAttribute('href')).toBe('/docs/proof')
  await figure.click()
  await page.waitForURL(`**/runs/${runId}`)

  const touched = await visit(browser, { baseURL: service.baseUrl, viewport: phone, hasTouch: true, isMobile: true, colorScheme: 'dark' })
  await signIn(touched.page, service)
  await addFigures(touched.page)
  await touched.page.getByRole('button', { name: 'not verified' }).tap()
  await touched.page.locator('[data-side]').getByText('No result contains it.').first().waitFor()
  // A tap elsewhere closes the reason, which covers the line above.
  await touched.page.getByRole('heading', { level: 1 }).tap()
  await touched.page.getByRole('link', { name: '12' }).tap()
  await touched.page.locator('[data-side]').getByText('count(*)', { exact: true }).waitFor()
  await expectNoSidewaysScrolling(touched.page)
  await expectAccessible(touched.page)
  expect(new URL(touched.page.url()).pathname).toBe(path)
  await touched.page.locator('[data-side]').getByRole('link', { name: 'Open run' }).tap()
  await touched.page.waitForURL(`**/runs/${runId}`)

  await touched.page.goBack()
  model.script({ text: 'Foxtrot.' })
  await touched.page.getByRole('button', { name: 'And in May?' }).tap()
  await touched.page.getByText('Foxtrot.').waitFor()
  await touched.leave()
})

journey('an answer of the model has figures computed from its results, and strikes those that were not', async () => {
  await signInWithModel()
  const sql = 'select country, count(*) as customers from customers group by 1 order by 2 desc limit 5'
  model.script({ toolCalls: [{ name: 'run_sql', input: { databaseId: await databaseId(), sql } }] })
  const answer = '{{r1: first(country)}} has {{r1: first(customers)}} customers and 4711 orders.'
  // The model is asked to repair its answer once.
  model.script({ text: answer })
  await page.goto(await startChat('Which countries have the most customers?', answer))
  await answers().getByText('1 of 3 figures not verified').waitFor()
  const proven = answers().locator('[data-figure=proven]')
  const runId = (await proven.first().getAttribute('href'))!.split('/').at(-1)!
  const { rows } = await service.api<{ rows: [string, number][] }>('GET', `/api/runs/${runId}/result`)
  const [country, customers] = rows[0]!
  await expect.poll(() => proven.allTextContents()).toEqual([country, customers.toLocaleString('en-US')])
  await expect.poll(() => answers().locator('del').allTextContents()).toEqual(['4711'])
  await button('not verified').click()
  await page.locator('[data-side]').getByText('This number was not computed from a result.').first().waitFor()
  await answers().locator('[data-figure=proven]').first().click()
  await page.waitForURL('**/runs/run_*')
  await page.getByText('5 rows', { exact: true }).waitFor()
})

journey('copies an answer, takes feedback with a remark, and shows it to admins', async () => {
  await visitor.leave()
  visitor = await visit(browser, { baseURL: service.baseUrl, permissions: ['clipboard-read', 'clipboard-write'] })
  page = visitor.page
  await signInWithModel()
  await page.goto(await startChat('What went well?', 'It **all** did.'))
  await button('Copy').click()
  await button('Copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('It **all** did.')

  await button('Not helpful').click()
  await page.getByLabel('Thank you. What was wrong?').fill('Too brief')
  await button('Send remark').click()
  await page.getByText('Your remark: Too brief').waitFor()
  await page.reload()
  await page.getByText('Your remark: Too brief').waitFor()
  expect(await button('Not helpful').getAttribute('aria-pressed')).toBe('true')
  await expectAccessible(page)

  await page.goto('/settings/agents')
  const feedback = region('Feedback on answers')
  await feedback.getByText('“Too brief”').waitFor()
  await expectAccessible(page)
  await feedback.getByRole('link', { name: 'What went well?' }).click()
  await button('Not helpful').click()
  await expect.poll(() => button('Not helpful').getAttribute('aria-pressed')).toBe('false')
})

journey('saves the SQL of an answer as a query, and schedules the question', async () => {
  await signInWithModel()
  model.script({ toolCalls: [{ name: 'run_sql', input: { databaseId: await databaseId(), sql: 'select 42 as answer' } }] })
  await page.goto(await startChat('What is the answer?', 'It was computed.'))
  await button('Save as query').click()
  const dialog = page.getByRole('dialog', { name: 'Save query' })
  await expect.poll(() => dialog.getByLabel('Title').inputValue()).toBe('What is the answer')
  await dialog.getByLabel('Title').fill('The answer')
  await dialog.getByRole('button', { name: 'Save query' }).click()
  await button('Open query').click()
  await page.getByRole('heading', { name: 'The answer', exact: true }).waitFor()
  await page.goBack()

  await button('Schedule this').click()
  await dialog.getByText('Automations check saved queries.').waitFor()
  await dialog.getByLabel('Title').fill('The answer, scheduled')
  await dialog.getByRole('button', { name: 'Save query' }).click()
  await page.waitForURL('**/automations/new?*')
  await expect.poll(() => page.getByLabel('Instructions', { exact: true }).inputValue()).toBe('What is the answer?')
  await button('Remove The answer, scheduled').waitFor()
  await button('Create automation').click()
  await heading('What is the answer?').waitFor()

  // The answer of a saved query leads there.
  const { items } = (await (await page.request.get('/app/api/references?limit=1')).json()) as { items: { shortId: string; title: string }[] }
  model.script({ toolCalls: [{ name: 'read_reference', input: { shortId: items[0]!.shortId } }] })
  await page.goto(await startChat('And the saved one?', 'The same.'))
  await page.getByRole('link', { name: 'Open query' }).waitFor()
  await button('Schedule this').click()
  await button(`Remove ${items[0]!.title}`).waitFor()
})

journey('renames and deletes a chat, which only its author and admins may', async () => {
  await signInWithModel()
  const path = await startChat('What is this about?')
  await page.goto(path)
  await button('More actions').click()
  await page.getByRole('menuitem', { name: 'Rename chat' }).click()
  await page.getByLabel('Title').fill('About nothing')
  await button('Rename chat').click()
  await heading('About nothing').waitFor()
  // The question is no longer the title, so it is shown.
  await messages().getByRole('heading', { name: 'What is this about?' }).waitFor()

  const member = await visit(browser, { baseURL: service.baseUrl })
  await joinAsMember(member.page, page, { name: 'Hedy' })
  await member.page.goto(path)
  await member.page.getByRole('heading', { name: 'About nothing' }).waitFor()
  expect(await member.page.getByRole('button', { name: 'More actions' }).count()).toBe(0)
  await member.leave()

  await button('More actions').click()
  await page.getByRole('menuitem', { name: 'Delete chat' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await button('More actions').click()
  await page.getByRole('menuitem', { name: 'Delete chat' }).click()
  await expectAccessible(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete chat' }).click()
  await heading('Chats').waitFor()
  await page.getByRole('link', { name: /Monday shop report/ }).first().waitFor()
  expect(await page.getByRole('link', { name: /About nothing/ }).count()).toBe(0)
  expect((await page.goto(path))?.status()).toBe(404)
})

journey('opens a long chat at its newest question, and loads earlier ones on scrolling up, without moving the text', async () => {
  await signInWithModel()
  const longAnswer = 'As scripted.\n\n'.repeat(12)
  const path = await startChat('Question 1', longAnswer)
  for (let count = 2; count <= 14; count++) {
    model.script({ text: longAnswer })
    await page.request.post(`/app/api${path}/messages`, { data: { text: `Question ${count}` } })
    await answered(path.split('/').at(-1)!)
  }
  await page.setViewportSize(phone)
  await page.goto(path)
  const newest = messages().getByRole('heading', { name: 'Question 14' })
  await newest.waitFor()
  await expect.poll(() => newest.evaluate((element) => element.getBoundingClientRect().top)).toBeLessThan(phone.height)
  // A question, the knowledge that was used, and the answer: ten messages hold three exchanges.
  const questions = () => messages().getByRole('heading', { level: 2 }).allTextContents()
  expect(await questions()).toEqual(['Question 12', 'Question 13', 'Question 14'])
  await expect.poll(() => answers().count()).toBe(3)
  expect(await followUp().isVisible()).toBe(true)
  const oldest = messages().getByRole('heading', { name: 'Question 12', exact: true })
  await oldest.scrollIntoViewIfNeeded()
  await expect.poll(() => answers().count()).toBe(14)
  expect(await questions()).toEqual(Array.from({ length: 14 }, (_, index) => `Question ${index + 1}`))
  const top = await oldest.evaluate((element) => element.getBoundingClientRect().top)
  expect(top).toBeGreaterThanOrEqual(0)
  expect(top).toBeLessThan(phone.height)
  expect(await button('Show earlier messages').count()).toBe(0)
  await expectNoSidewaysScrolling(page)
})
