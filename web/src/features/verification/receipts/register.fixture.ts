/** Registers as a portal shows them, written by the tests of `ledger/`; `proof`: that they continue the one of five entries, `before`. */
export const registers = {
  before: {
    checkpoint:
      'portal.example/log\n5\nfKo0Xb2JKmZFTWxlEuo8PqPw0+whvj/C4jdXBf049nI=\n\n— portal.example/log 2syjcxOHFRVvD2aLdokv9snexeTRurrqUD2qzkhVJtEoSH/EdIOZ5rjA+US7YW2QYrxMhJ/BtMLgcTpG4WWeWrc6hgk=\n',
    verifierKey: 'portal.example/log+dacca373+AYqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c',
    size: 5,
    proof: [],
  },
  same: {
    checkpoint:
      'portal.example/log\n5\nfKo0Xb2JKmZFTWxlEuo8PqPw0+whvj/C4jdXBf049nI=\n\n— portal.example/log 2syjcxOHFRVvD2aLdokv9snexeTRurrqUD2qzkhVJtEoSH/EdIOZ5rjA+US7YW2QYrxMhJ/BtMLgcTpG4WWeWrc6hgk=\n',
    verifierKey: 'portal.example/log+dacca373+AYqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c',
    size: 5,
    proof: [],
  },
  later: {
    checkpoint:
      'portal.example/log\n9\nJA2btqVfDLN1tdAIJR5xRUWLexrchGOrj+92/RT3X2s=\n\n— portal.example/log 2syjc7i9fDdIvXnSzq50grn+zu2E85Z3zCo9SCcuz1mA7K0czVoGYmfZNhM1IPl6+Xb7uhx/pCTwmsIeQc1F+gUYFgI=\n',
    verifierKey: 'portal.example/log+dacca373+AYqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c',
    size: 9,
    proof: [
      'SFM123z+yWXxX/dF/GJcQdXqJkaTaTAWWCj3PdS2iFQ=',
      'n/U3thiiV++CkIxFkVrLrrbZ3qA11tk5ZPyIwZ6YyLM=',
      '/w4ywg/2W5esELOyZ3uHKqPVoCh9lFesukflfPSkpz8=',
      'l5nzB1F+9RfCIF35tndivzR1ayAJn7ffzOdrzr0nOy4=',
      'lJEOQnicGWJFCQhFH/mxwFCn1s3n1NLU6X8vdQlpS58=',
    ],
  },
  changed: {
    checkpoint:
      'portal.example/log\n9\nIAg8WTgjnKvJfKmRIj7aQO+7GOFmH3a9pwdJ1fbTvWI=\n\n— portal.example/log 2syjczO6VMdgH4mhvbm7BjJ4owbN7LzM9cJCdBIyVMXGojTswkJn0UXi/bDTcp26aMCjmR43lbj6CApdWdprgIVVpwg=\n',
    verifierKey: 'portal.example/log+dacca373+AYqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c',
    size: 9,
    proof: [
      '9Kve6XZdOMEnnFj72P8zXQ9isdxwHc91cDEoNZVWGQ0=',
      'X837l3PCipcsm/odsL8dAeHjy9yQ3RQT2b3heMSYU4A=',
      'FgIYQtS06t67brCOzOacbbbLMq1MDkWtZ8axWboAtDU=',
      'R67l4JGYTBrb/79ALzSdyQrHv549qR55tFDEFgK8a7M=',
      'BkjVmB34CS9tBLYTUjJrbAq3T+Whm01pyHAJfxk4cxo=',
    ],
  },
  replaced: {
    checkpoint:
      'portal.example/log\n5\nMg/12tzoHJKdAgTv1CdC59MKZ3L/oNcM14+SWip1CB0=\n\n— portal.example/log 2syjcyiKVNjpoUrf0SvIXsvKRFg8taIn4Ax2coiOdAkyLGkSwqIDW4vcClZXTGLF9zey9RorvZtl7DmvyAS43YFIlgY=\n',
    verifierKey: 'portal.example/log+dacca373+AYqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c',
    size: 5,
    proof: [],
  },
  shorter: {
    checkpoint:
      'portal.example/log\n3\nlPvQ3YNvUDAWkubQ6t5yjuGexSv/8WBu2AfIV11aqhk=\n\n— portal.example/log 2syjcwCZetle8i/C1ayesAiQoR676jH3jNYa3iveKlR+oLdbPftzFWLuLenrzblAxP3SLyLVmhzK2mGd8gt5aDDT/wo=\n',
    verifierKey: 'portal.example/log+dacca373+AYqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c',
    size: 3,
    proof: [],
  },
  otherKey: {
    checkpoint:
      'portal.example/log\n9\nJA2btqVfDLN1tdAIJR5xRUWLexrchGOrj+92/RT3X2s=\n\n— portal.example/log IJOXtguN0ouzY9zwYouuJ4+eP5TTYSP1pznzZeP4gOeJvcfiLNCLrZswoMgqk5nd8Gk4jPfT8Nq7cyIZAnZ8PYRnTgo=\n',
    verifierKey: 'portal.example/log+209397b6+Ae1JKMYo0cLG6ukDOJBZlWEpWSc6XGP5NjbBRhSshzfR',
    size: 9,
    proof: [
      'SFM123z+yWXxX/dF/GJcQdXqJkaTaTAWWCj3PdS2iFQ=',
      'n/U3thiiV++CkIxFkVrLrrbZ3qA11tk5ZPyIwZ6YyLM=',
      '/w4ywg/2W5esELOyZ3uHKqPVoCh9lFesukflfPSkpz8=',
      'l5nzB1F+9RfCIF35tndivzR1ayAJn7ffzOdrzr0nOy4=',
      'lJEOQnicGWJFCQhFH/mxwFCn1s3n1NLU6X8vdQlpS58=',
    ],
  },
} as const;
