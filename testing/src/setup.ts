// Property tests draw the same cases at every run; FAST_CHECK_SEED draws others.
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 20_260_110) })
