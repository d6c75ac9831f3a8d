import fc from 'fast-check'
import './derived-once.ts'

// Property tests draw the same cases at every run; FAST_CHECK_SEED draws others.
fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 20_260_110) })
