import fc from 'fast-check'

// The same cases every time: a test that fails must fail again.
fc.configureGlobal({ seed: 20260110 })

export default fc
