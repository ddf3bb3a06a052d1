import { Readable } from 'node:stream'
import { itemKinds, listNames, type StoredItem } from '@querypost/project'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { openProject } from '../domain/project/read-project.ts'
import type { QueryServices } from '../domain/services.ts'
import { currentViewer, readAsViewer } from '../store/viewer.ts'
import { callerOf } from './authenticate.ts'

/** Streams everything that has a file, so that memory does not grow with the organization. */
export async function sendProject(services: QueryServices, request: FastifyRequest, reply: FastifyReply) {
  const portions = readAsViewer(currentViewer(), openProject(services, callerOf(request)))
  return reply.type('application/json; charset=utf-8').send(Readable.from(asJson(portions), { objectMode: false }))
}

/** One object with a list for each kind. The items come in the order of the kinds. */
async function* asJson(portions: AsyncIterable<StoredItem[]>): AsyncGenerator<string> {
  let list = 0
  let text = `{"${listNames[itemKinds[0]]}":[`
  let separator = ''
  function beginListsUpTo(wanted: number) {
    while (list < wanted) {
      list++
      text += `],"${listNames[itemKinds[list]!]}":[`
      separator = ''
    }
  }
  for await (const items of portions) {
    beginListsUpTo(itemKinds.indexOf(items[0]!.kind))
    for (const { id, hash, managedUrl = null, content } of items) {
      text += separator + JSON.stringify({ id, hash, managedUrl, content })
      separator = ','
    }
    yield text
    text = ''
  }
  beginListsUpTo(itemKinds.length - 1)
  yield `${text}]}`
}
