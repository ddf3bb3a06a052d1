import { type ItemKind, itemKinds, listNames } from '@querypost/project'
import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { hasScope } from '../../domain/access/scopes.ts'
import { applyProject, type GivenChange } from '../../domain/project/apply-project.ts'
import type { QueryServices } from '../../domain/services.ts'
import type { RequiredScope } from '../../model/api-key-scope.ts'
import { callerOf, scopeMissing } from '../authenticate.ts'
import { responses } from '../responses.ts'
import { unnamed } from '../schemas.ts'
import { sendProject } from '../send-project.ts'
import { AppliedChanges, Project, ProjectChanges } from '../schemas/project-schemas.ts'
import type { Api } from '../typed.ts'

const tags = ['Files']
const bodyMaxBytes = 16 * 1024 * 1024

/** An organization as files: the routes of `querypost pull` and `querypost push`. Not part of the retired API. */
export function projectRoutes(api: Api, services: QueryServices): void {
  api.get(
    '/api/project',
    {
      config: { scope: 'read:project' },
      schema: {
        operationId: 'project.get',
        tags,
        summary: 'Get everything that has a file',
        description:
          'Returns all folders, saved queries, boards, automations, metrics and question sets of the organization, as their files have them, but with ids as links. Only for members who can see everything in the organization.',
        response: responses(200, Project, ['forbidden']),
      },
    },
    async (request, reply) => sendProject(services, request, reply),
  )

  api.post(
    '/api/project/apply',
    {
      config: { scope: 'write:project' },
      bodyLimit: bodyMaxBytes,
      schema: {
        operationId: 'project.apply',
        tags,
        summary: 'Apply changes of files',
        description:
          'Creates, changes and deletes items in one transaction. If an item has changed since the `hash` that the request names, nothing is changed and `details` lists all of them. Every other error names the path of the file. A body may have up to 16 MiB. Metrics and question sets also need the scope `admin`.',
        body: unnamed(ProjectChanges),
        response: responses(200, AppliedChanges, [
          'forbidden',
          'project_conflict',
          'database_not_found',
          'folder_not_found',
          'folder_name_taken',
          'folder_not_empty',
          'reference_not_found',
          'reference_in_use',
          'ref_invalid',
          'question_set_name_taken',
          'evaluation_already_running',
          'model_not_configured',
          'body_too_large',
        ]),
      },
    },
    async (request) => {
      const { isDryRun, managed: marks = [], ...lists } = request.body
      const changes = changesIn(lists)
      requireScopes(request, [...changes, ...marks])
      return { items: await applyProject(services, callerOf(request), { changes, marks, ...(isDryRun !== undefined && { isDryRun }) }) }
    },
  )
}

function changesIn({ deletions = [], ...lists }: Omit<Static<typeof ProjectChanges>, 'isDryRun' | 'managed'>): GivenChange[] {
  const contents = itemKinds.flatMap((kind) =>
    (lists[listNames[kind]] ?? []).map(({ path, id, expectedHash, content }) => ({ kind, path, id, expectedHash, content }) as GivenChange),
  )
  return [...contents, ...deletions.map(({ kind, path, id, expectedHash }) => ({ kind, path, id, expectedHash, content: null }))]
}

/** What only admins can change needs its own scope here, as everywhere. */
const adminScopes: Partial<Record<ItemKind, RequiredScope>> = { metric: 'admin:knowledge', question_set: 'admin:question-sets' }

function requireScopes({ key }: FastifyRequest, changes: { kind: ItemKind }[]): void {
  for (const { kind } of changes) {
    const scope = adminScopes[kind]
    if (scope && !hasScope(key!.scopes, scope)) throw scopeMissing(scope)
  }
}
