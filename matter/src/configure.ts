import { config } from '@matter/nodejs/config'

// To be loaded before anything else of the library: it would take our flags and signals for its own.
config.loadProcessArgv = false
config.loadProcessEnv = false
config.loadConfigFile = false
config.trapProcessSignals = false
config.setProcessExitCodeOnError = false
