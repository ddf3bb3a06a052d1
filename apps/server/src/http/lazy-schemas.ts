import AjvCompiler from '@fastify/ajv-compiler'
import SerializerSelector from '@fastify/fast-json-stringify-compiler'

/**
 * Fastify's own compilers of schemas, each schema compiled when it is first used. A process has some 200 routes; to compile what
 * they take and give is half a second of a processor at every start, and most processes use a few of them.
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
  return (...context) => {
    const compile = build(...context)
    return (...route) => {
      let compiled: Validator | undefined
      const validate = ((data: unknown) => {
        compiled ??= compile(...route)
        const answer = compiled(data) as unknown
        validate.errors = compiled.errors ?? null
        return answer
      }) as Validator
      return validate
    }
  }
}

function lazySerializers(build: SerializerSelector.SerializerFactory): SerializerSelector.SerializerFactory {
  return (...context) => {
    const compile = build(...context)
    return (route) => {
      let compiled: SerializerSelector.Serializer | undefined
      return (document) => (compiled ??= compile(route))(document)
    }
  }
}
