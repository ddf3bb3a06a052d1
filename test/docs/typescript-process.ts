import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { Querypost } from '@querypost/client'
import type { Outcome, Task } from './run-typescript.ts'

/** Runs the examples it receives. `client` and the ids, which the documentation introduces once, are globals. */
process.on('message', (task: Task) => {
  void runExample(task).then((outcome) => process.send!(outcome))
})

async function runExample({ file, environment }: Task): Promise<Outcome> {
  Object.assign(process.env, environment)
  Object.assign(globalThis, {
    client: new Querypost({ apiKey: environment['QUERYPOST_API_KEY']!, baseUrl: environment['QUERYPOST_URL'] }),
    queryId: environment['QUERY_ID'],
    shortId: environment['SHORT_ID'],
    automationId: environment['AUTOMATION_ID'],
    runId: environment['RUN_ID'],
    queryRunId: environment['QUERY_RUN_ID'],
    keptShortId: environment['KEPT_SHORT_ID'],
    databaseId: environment['DATABASE_ID'],
    ownAutomationId: environment['OWN_AUTOMATION_ID'],
    endpointId: environment['ENDPOINT_ID'],
    metricId: environment['METRIC_ID'],
    chat: environment['CHAT'],
    board: environment['BOARD'],
    folderId: environment['FOLDER_ID'],
    questionSetId: environment['QUESTION_SET_ID'],
    evaluationId: environment['EVALUATION_ID'],
    earlierEvaluationId: environment['EARLIER_EVALUATION_ID'],
  })
  let logged: unknown
  const log = (...given: unknown[]) => {
    logged = given.length === 1 ? given[0] : given
  }
  Object.assign(globalThis.console, { log })
  try {
    await import(pathToFileURL(file).href)
    return { logged: toJson(logged) }
  } catch (error) {
    return { error: inspect(error) }
  }
}

const toJson = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)))
