/** Reading and writing files, apart from the rest: the YAML library is loaded only where there are files. */
export { type FileFault, parseTree } from './parse-file.ts'
export { printFile } from './print-file.ts'
export { planPull, type PullPlan } from './pull.ts'
