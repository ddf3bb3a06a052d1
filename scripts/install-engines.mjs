// Installs the database servers that `npm run engines` tests against, including those that take too long for `npm test`.
import { installBigqueryEmulator } from './install-bigquery-emulator.mjs'
import { installChdb } from './install-chdb.mjs'
import { installTestPrograms } from './test-programs.mjs'
import { installTrino } from './install-trino.mjs'

installTestPrograms()
installTrino()
installChdb()
installBigqueryEmulator()
