/** The same response, whose body reports how it ended: read completely, abandoned by its reader, or broken. */
export function watchBody(
  response: Response,
  watcher: {
    onEnd(): void
    /** The error passed to the reader in place of the platform's. */
    errorFor(cause: unknown): unknown
  },
): Response {
  if (!response.body) {
    watcher.onEnd()
    return response
  }
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (!done) return controller.enqueue(value)
          controller.close()
        } catch (error) {
          controller.error(watcher.errorFor(error))
        }
        watcher.onEnd()
      },
      async cancel(reason) {
        watcher.onEnd()
        await reader.cancel(reason)
      },
    },
    // Nothing is read before it is requested.
    { highWaterMark: 0 },
  )
  const { status, statusText, headers } = response
  return new Response(body, { status, statusText, headers })
}
