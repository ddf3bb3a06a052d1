import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { freePort } from '../../apps/server/src/testing/free-ports.ts'
import { preparedDataDirectory, preparedEmail } from '../first-start.ts'
import { startServiceProcess } from '../service-process.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The operator's command, with the environment of the service. */
function command(args: string[], environment: Record<string, string>): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const { PATH, NODE_COMPILE_CACHE } = process.env
    const env = { PATH, NODE_COMPILE_CACHE, ...environment }
    execFile(process.execPath, ['apps/cli/bin/querypost.mjs', ...args], { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    )
  })
}

test('an operator makes a link for a new password while the service is stopped', async () => {
  const dataDirectory = await preparedDataDirectory()
  const environment = { DATA_DIR: dataDirectory, PORT: String(await freePort()) }
  let service = await startServiceProcess({ dataDirectory, environment })
  try {
    const meanwhile = await command(['reset-password', preparedEmail], environment)
    expect(meanwhile).toMatchObject({ code: 1, output: expect.stringMatching(/process \d+ is using this folder/) })
    await service.stop()

    expect(await command(['reset-password', 'nobody@localhost'], environment)).toMatchObject({
      code: 1,
      output: expect.stringContaining('no account with the e-mail nobody@localhost'),
    })
    const made = await command(['reset-password', preparedEmail.toUpperCase()], environment)
    expect(made.code).toBe(0)
    const token = /^ {2}http:\/\/localhost:\d+\/reset#([\w-]{43})$/m.exec(made.output)![1]

    service = await startServiceProcess({ dataDirectory, environment })
    const answer = await fetch(`${service.baseUrl}/app/api/password-reset`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, password: 'a password from the link' }),
    })
    expect(answer.status).toBe(204)
  } finally {
    await service.stop('SIGKILL')
    await rm(dataDirectory, { recursive: true, force: true })
  }
})
