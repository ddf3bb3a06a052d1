import { type ChildProcess, fork } from 'node:child_process'

/** A part of the benchmark in a child process that answers one IPC request at a time. */
export interface Child<Request, Answer> {
  pid: number
  ask(request: Request): Promise<Answer>
  stop(): void
}

export function startChild<Request extends object, Answer>(file: URL): Child<Request, Answer> {
  const child: ChildProcess = fork(file, { serialization: 'advanced' })
  return {
    pid: child.pid!,
    ask(request) {
      return new Promise((resolve, reject) => {
        const onExit = (code: number | null) => reject(new Error(`${file.pathname} exited with ${code}`))
        child.once('exit', onExit)
        child.once('message', (answer) => {
          child.off('exit', onExit)
          resolve(answer as Answer)
        })
        child.send(request)
      })
    },
    stop: () => void child.kill(),
  }
}

/** Runs in the child process. */
export function answerRequests(act: (request: never) => Promise<unknown>): void {
  process.on('message', (request) => {
    act(request as never).then(
      (answer) => process.send!(answer),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  })
  process.on('disconnect', () => process.exit(0))
}
