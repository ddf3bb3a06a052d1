import { createHash } from 'node:crypto'
import AjvCompiler from '@fastify/ajv-compiler'
import SerializerSelector from '@fastify/fast-json-stringify-compiler'

/**
 * Fastify's own compilers of schemas, each schema compiled when it is first used. A process has some 200 routes; to compile what
 * they take and give is half a second of a processor at every start, and most processes use a few of them.
 *
 * Schemas with the same text are compiled once: most routes have the same errors, and a process that builds several apps, as tests do,
 * has each route several times.
 *
 * A schema that cannot be compiled fails its first request instead of the start; a test compiles them all.
 */
export const lazyCompilers = {
  buildValidator: lazyValidators(AjvCompiler()),
  buildSerializer: lazySerializers(SerializerSelector()),
}

type ValidatorFactory = AjvCompiler.BuildCompilerFromPool
type Validator = ReturnType<ReturnType<ValidatorFactory>>

function lazyValidators(build: ValidatorFactory): ValidatorFactory {
  const once = makeOnce<Validator>()
  return (...context) => {
    const compile = build(...context)
    return (...route) => {
      let compiled: Validator | undefined
      const validate = ((data: unknown) => {
        compiled ??= once([context, (route[0] as { schema: unknown }).schema], () => compile(...route))
        const answer = compiled(data) as unknown
        validate.errors = compiled.errors ?? null
        return answer
      }) as Validator
      return validate
    }
  }
}

function lazySerializers(build: SerializerSelector.SerializerFactory): SerializerSelector.SerializerFactory {
  const once = makeOnce<SerializerSelector.Serializer>()
  return (...context) => {
    const compile = build(...context)
    return (route) => {
      let compiled: SerializerSelector.Serializer | undefined
      return (document) => (compiled ??= once([context, route.schema], () => compile(route)))(document)
    }
  }
}

/** Keeps what was compiled by a hash of the schema's text: the texts together would take a megabyte. */
function makeOnce<Compiled>() {
  const known = new Map<string, Compiled>()
  return (source: unknown, compile: () => Compiled): Compiled => {
    const key = createHash('sha256').update(JSON.stringify(source)).digest('base64')
    const found = known.get(key) ?? compile()
    known.set(key, found)
    return found
  }
}
