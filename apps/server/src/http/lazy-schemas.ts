import { createHash } from 'node:crypto'
import AjvCompiler from '@fastify/ajv-compiler'
import SerializerSelector from '@fastify/fast-json-stringify-compiler'

/**
 * Fastify's own schema compilers, made lazy: each schema is compiled when it is first used. There are about 200 routes; compiling all
 * their schemas takes half a second of CPU at every start, and most processes use only a few.
 *
 * Identical schemas are compiled once: most routes have the same errors, and a process that builds several apps, as tests do, has each
 * route several times.
 *
 * An invalid schema fails its first request instead of the start, so a test compiles them all.
 */
export const lazyCompilers = {
  buildValidator: lazyValidators(AjvCompiler()),
  buildSerializer: lazySerializers(SerializerSelector()),
}

type ValidatorFactory = AjvCompiler.BuildCompilerFromPool
type Validator = ReturnType<ReturnType<ValidatorFactory>>

function lazyValidators(build: ValidatorFactory): ValidatorFactory {
  const cached = makeCompileCache<Validator>()
  return (...context) => {
    const compile = build(...context)
    return (...route) => {
      let compiled: Validator | undefined
      const validate = ((data: unknown) => {
        compiled ??= cached([context, (route[0] as { schema: unknown }).schema], () => compile(...route))
        const answer = compiled(data) as unknown
        validate.errors = compiled.errors ?? null
        return answer
      }) as Validator
      return validate
    }
  }
}

function lazySerializers(build: SerializerSelector.SerializerFactory): SerializerSelector.SerializerFactory {
  const cached = makeCompileCache<SerializerSelector.Serializer>()
  return (...context) => {
    const compile = build(...context)
    return (route) => {
      let compiled: SerializerSelector.Serializer | undefined
      return (document) => (compiled ??= cached([context, route.schema], () => compile(route)))(document)
    }
  }
}

/** Caches by a hash of the schema's text, because the texts together would take a megabyte. */
function makeCompileCache<Compiled>() {
  const known = new Map<string, Compiled>()
  return (source: unknown, compile: () => Compiled): Compiled => {
    const key = createHash('sha256').update(JSON.stringify(source)).digest('base64')
    const found = known.get(key) ?? compile()
    known.set(key, found)
    return found
  }
}
