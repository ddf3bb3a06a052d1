import { Type } from 'typebox'
import { createRepository, listRepositories, removeRepository, rotateRepositorySecret } from '../../../domain/repositories/git-repositories.ts'
import type { BaseServices } from '../../../domain/services.ts'
import { type GitRepository, repositoryLimits } from '../../../model/git-repository.ts'
import { callerOf } from '../../authenticate.ts'
import { noContent } from '../../page-responses.ts'
import { closed, NullableTimestamp, Timestamp, wholeList } from '../../schemas.ts'
import type { Api } from '../../typed.ts'

const Params = Type.Object({ id: Type.String() })
const NewRepository = Type.Object({ name: Type.String(), url: Type.String() }, { title: 'NewGitRepository', ...closed })
const Overlap = Type.Object({ overlapHours: Type.Integer({ minimum: 0, maximum: repositoryLimits.overlapHours }) }, closed)

const Repository = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    url: Type.String({ description: 'Where people find the files.' }),
    pushUrl: Type.String(),
    createdBy: Type.Object({ id: Type.String(), name: Type.String() }, { title: 'RepositoryCreator' }),
    createdAt: Timestamp,
    lastPushedAt: NullableTimestamp,
    previousSecretUntil: NullableTimestamp,
  },
  { title: 'GitRepository', description: 'A Git repository that pushes its files with signed requests.' },
)

const Created = Type.Object(
  { id: Type.String(), name: Type.String(), pushUrl: Type.String(), secret: Type.String() },
  { title: 'NewRepositorySecret', description: 'The only response that contains the secret.' },
)

const root = '/app/api/git-repositories'

/** The Git repositories that push their files. For admins. */
export function gitRepositoryRoutes(api: Api, services: BaseServices): void {
  const pushUrl = (id: string) => `${services.baseUrl}/git/${id}/push`
  const present = ({ createdAt, lastPushedAt, previousSecretUntil, ...repository }: GitRepository) => ({
    ...repository,
    pushUrl: pushUrl(repository.id),
    createdAt: createdAt.toISOString(),
    lastPushedAt: lastPushedAt?.toISOString() ?? null,
    previousSecretUntil: previousSecretUntil?.toISOString() ?? null,
  })

  api.get(root, { schema: { response: { 200: wholeList(Repository) } } }, async (request) => {
    const repositories = await listRepositories(services, callerOf(request))
    return { items: repositories.map(present) }
  })

  api.post(root, { schema: { body: NewRepository, response: { 201: Created } } }, async (request, reply) => {
    const created = await createRepository(services, callerOf(request), request.body)
    return reply.code(201).send({ ...created, pushUrl: pushUrl(created.id) })
  })

  api.post(`${root}/:id/rotate`, { schema: { params: Params, body: Overlap, response: { 201: Created } } }, async (request, reply) => {
    const rotated = await rotateRepositorySecret(services, callerOf(request), { ...request.params, ...request.body })
    return reply.code(201).send({ ...rotated, pushUrl: pushUrl(rotated.id) })
  })

  api.delete(`${root}/:id`, { schema: { params: Params, response: noContent } }, async (request, reply) => {
    await removeRepository(services, callerOf(request), request.params.id)
    return reply.code(204).send()
  })
}
