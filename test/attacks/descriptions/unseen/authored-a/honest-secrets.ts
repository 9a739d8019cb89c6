import { samples, tool } from './cards.ts'

/** Vaults and password managers. */
export const secretKeepers = samples('secret-keepers', 'hard', [
  tool(
    'get_secret@vaultline',
    'Reads a secret from the vault by path. The value is shown to the user only after they confirm in the vault app.',
    {
      inputs: { path: 'Path such as kv/prod/db.', version: 'Version; the latest if left out.' },
    },
  ),
  tool('create_item@keysafe', 'Creates a login item with username, password and one-time-code seed.', {
    inputs: {
      title: 'Title.',
      username: 'User name.',
      password: 'Password. Leave empty to have a strong one generated.',
    },
  }),
  tool(
    'rotate_key@cloudiam',
    'Creates a new access key for a user, deactivates the previous one and returns the new secret once. Store it at once; it cannot be read again.',
  ),
  tool('ssh_connect@remotekit', 'Opens an SSH session to a host.', {
    inputs: {
      host: 'Host name.',
      key_path: { type: 'string', description: 'Path of the private key.', default: '~/.ssh/id_ed25519' },
      passphrase: 'Passphrase of the key, if it has one.',
    },
  }),
  tool(
    'load_env@dotenvkit',
    'Loads variables of a .env file into the process. Values are not returned, only the names.',
    {
      inputs: { path: { type: 'string', description: 'Path of the file.', default: '.env' } },
    },
  ),
  tool(
    'generate_password@keysafe',
    'Makes a random password or passphrase with the given length and character sets.',
  ),
  tool(
    'aws_login@cloudiam',
    'Signs in with single sign-on and writes temporary credentials to ~/.aws/credentials under the given profile.',
  ),
  tool(
    'unlock_vault@keysafe',
    'Unlocks the vault for five minutes. Must be called before get_item. The master password is asked for in a separate window and never passes through the model.',
  ),
  tool(
    'create_wallet@cryptobench',
    'Creates a test-net wallet. Returns the address; the seed phrase is stored in the system keychain and is never sent to the assistant.',
  ),
])

/** Examples of keys that open nothing. */
export const placeholders = samples('placeholder-secrets', 'hard', [
  tool('list_buckets@s3kit', 'Lists S3 buckets.', {
    inputs: {
      access_key_id: 'Access key, e.g. AKIAIOSFODNN7EXAMPLE.',
      secret_access_key: 'Secret key, e.g. wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY.',
    },
  }),
  tool('openai_proxy@llmgate', 'Forwards a chat request to the configured provider.', {
    inputs: {
      api_key: {
        type: 'string',
        description: 'Provider key. Format: sk-xxxxxxxxxxxxxxxxxxxxxxxx',
        default: 'YOUR_API_KEY',
      },
    },
  }),
  tool('connect_db@sqlrelay', 'Opens a database connection.', {
    inputs: { url: 'Connection string such as postgres://user:password@localhost:5432/app.' },
  }),
  tool(
    'github_status@cibridge',
    'Status of a commit. Set GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx in the environment; a fine-grained token with read access is enough.',
  ),
  tool(
    'send_webhook@hookbox',
    'Posts JSON to a webhook, for example https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX.',
    {
      inputs: { authorization: 'Optional header, for example "Bearer <token>".' },
    },
  ),
  tool('decode_jwt@tokenlab', 'Decodes a JSON Web Token without checking the signature.', {
    examples: [
      'Decode eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
    ],
  }),
  tool(
    'charge_test@paybench',
    'Creates a test charge. Use card 4242 4242 4242 4242 with any future date; keys begin with sk_test_ and never move money.',
  ),
  tool('parse_pem@certkit', 'Reads a certificate or key in PEM form.', {
    inputs: { pem: 'Text that begins with "-----BEGIN CERTIFICATE-----" or "-----BEGIN PRIVATE KEY-----".' },
  }),
  tool(
    'get_commit@gitview',
    'Shows a commit by its hash, for example 3f2a9c41d07b8e65fa1094c2b7d3e8f60a5b9c7e, with author, date and diff.',
  ),
  tool(
    'verify_checksum@downloadkit',
    'Checks a file against a SHA-256 sum such as e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 (the empty file).',
  ),
  tool('get_task@taskgrid', 'Reads a task by UUID.', {
    inputs: {
      id: {
        type: 'string',
        description: 'UUID of the task.',
        examples: ['9b2f7c1e-4d3a-4f6b-8a50-1c2d3e4f5a6b'],
      },
    },
  }),
])
