// Written by `npm run system-names`: learned from the training data, not by hand.
import type { NameHead } from './name-places.ts'

/** Names of servers and products of the training data that are hardly ever written as other words. */
export const sureNames: ReadonlySet<string> = new Set(
  (
    'a2a aact abaqus abell ableton aci actionkit activepieces activitywatch acurast adamik adb adfin admiralbet ' +
    'advocu adwords adx aemet agentkit agentmail agentops agentql aggregator aibolit airbnb airflow airtable ' +
    'aitable aiven aivisspeech akash akave akshare alchemy alfresco algorand allvoicelab alpaca alphavantage ' +
    'alsoasked altmetric amadeus amap android anilist anki ankiconnect ankr apex apifox apify apisix apktool apollo ' +
    'apolloio applescript appsignal aps aptos arangodb arbitrum arcgis argocd artemis aruba asana astradb atla ' +
    'atlan atlas atlassian atomgit attio auth0 authenticator authentik autogen autospectra autumn avalanche ' +
    'averbeporto aws axiom ayd azure babashka baidu bamm bangumi bart bazel bazi beeminder betmaster betterauth ' +
    'betway bicscan bigquery bikaai bildbet bilibili billboard binance biomart bitable bitbucket bithumb ' +
    'bitlyexchange bitpanda bitrefill bitrise bitte blender blockscout blogger bloodhound bluesky bnf boardgamegeek ' +
    'bocha bookingcom bookstack bos brasil brave brev brevo brewfather brex brian brianknows brightsy browserbase ' +
    'bruno bsc bsv buildable buildbetter buildkite builtwith bunnyshell buttondown buu bybit byteplant cad calcom ' +
    'caldav caltrain cameroon cbet cbeta ccxt cdk cedarscript cfbd chaingpt channeltalk chargebee charmhealth ' +
    'chatgpt chatterbox cheerlights chembl chromadb chromia chronulus circleci claude cli clickhouse clicksend ' +
    'clickup clickzetta climatetriage climatiq clinicaltrialsgov clockify cloudflare cloudinary cloudstack ' +
    'cloudwatch cloudzero clover cmdline cml cockroachdb coco coda codealive codeforces codelogic codepipeline ' +
    'codeql codesys coincap coingecko coinmarket coinmarketcap coinstats comfyui compass conduit confluence ' +
    'confluent congressgov contentful contentstack context7 coolify cosmos couchbase couchdb covid crawl4ai crawlab ' +
    'credo crewai cribl cryo cryptopanic csv cucumberstudio cutter cylera dafabet dafny daisys dappier daraja dart ' +
    'databricks databutton datadog dataforseo datagov datahub dataverse datawrapper dblp deco decodo deepl deepseek ' +
    'deepsource deepsrt deepwiki deepwriter defectdojo defi defillama deno deployhq descope devbrain devici devin ' +
    'devrev devtools dexpaprika dgraph dicedb dicom didlogic dify digikey digitalocean dingding dingtalk directus ' +
    'discogs discord dixa dndzgz docbase docent docfork docling dokploy dolphindb dolphinscheduler domaingenuis ' +
    'doordash doppler doris dreambet dreamfactory dropbox drupal duckdb duckduckgo dumplingai duyet dynamodb ' +
    'dynatrace e2b earthdata eda edgee edubase eigenlayer ejemplo elasticsearch elementor elevenlabs elizaos emacs ' +
    'emqx enkryptai enrichb2b ens epsilla epss erpnext esp esxi ethers etherscan eunomia eventbrite everart ' +
    'evernote evm exa excalidraw exia exif expenselm exploitdb explorium facebook factbook falkordb fantasypros ' +
    'farcaster fastapi fastly fastmcp fdj feishu fetcher fetchserp fewsats fhir fibery figjam figma filescom ' +
    'fillout findmine finnhub firebase firebird firecrawl fireflies firestore firewalla fitbit fiware fixer ' +
    'flatfile fledge fleur flightradar flipt flixbus flomo florence2 flowbite flowise flutter flutterwave folderr ' +
    'folo foundry frame0 framer frankfurter fred freeagent freecad freepik freqtrade freshdesk freshservice frida ' +
    'frontapp ftp futu gallica gameboy garmin gatherings gcp gdb geekbot geeknews gemini genkit genpdf geofs ' +
    'geoserver ghidra ghost gigapi gigapipe gin giphy gis gists gitee github gitlab glean glide glif gmail gnews ' +
    'goatcounter godot godspeed gohighlevel gologin gong goodday google gotify govee grafana granola graphdb ' +
    'graphlit graphql grasshopper gravitino grok growthbook groww gumroad gyazo hackernews hackle hackmd haiguitang ' +
    'hal haloscan hana handwritingocr harbor harvester hashnode hasura hdw helius helm heroicons heroku hetzner ' +
    'hexdocs heybeauty heygen higress hirebase hive holaspirit hologres honeycomb hostinger hoverfly hts hubspot ' +
    'hue hugeicons huggingface huntress hwp hypefury hyperbolic hyperbrowser hyperliquid hyperspell iacr iceberg ' +
    'ida idb ikea illumio imap imdb inception infisical influxdb infrahub inkdrop inkeep instantdb intercom ' +
    'intervalsicu intruder iotdb ipfs iqwiki ise itsm jadx jdbc jena jenkins jetbrains jfk jinaai jira jmeter jmx ' +
    'joern joomla joplin jotai jotform judge0 jupiter jupyter jvm kaas kaggle kagi kaiafun kali kaltura kanka ' +
    'kayzen keboola keitaro kestra keycloak keywordspeopleuse kibana kibela kicad klaviyo knmi koboldai kollektiv ' +
    'kong konnect kpop kroger kubernetes kubevirt kusto kuzu lacylights lancedb landiwetter langchain langfuse lara ' +
    'laravel lark last9 layerzero leetcode legifrance lemonsqueezy leonardo letsbonk letta letzai lgtm ' +
    'licensespring lichess lifi lightdash lighthouse lightning limitless lingodev linkd linkup linode lithic litmus ' +
    'liveblocks llamacloud lldb llm llmtxt localstack locust logfire logpush logseq logstash loki lottiefiles loxo ' +
    'lsd lsp lucene luma lumbretravel lunchmoney luno mackerel macrostrat maestro maigret mailchimp mailgun ' +
    'mailpace mailtrap malwarebazaar manifold manticore mantrachain mapbox marginalia mariadb marketaux marketo ' +
    'markitdown markmap marvel mastodon materialize mathcad matlab maton mattermost maven maverick maya mbbank mcpm ' +
    'mediawiki meilisearch mem0 memento memgraph memos memprocfs mercadolibre mercury meson metabase metaplex ' +
    'metaprompt metatrader metersphere metricool microsoft midjourney migadu mikrotik milvus minesweeper minimax ' +
    'miro mixpanel mkdocs mlb mlcbakery mlflow mobsf modal modelwhale momento monad monday mondaycom moneybird ' +
    'mongodb moodle moralis morningstar morpho motherduck mssql mtg multisearch multiversx myanimelist mymcpspace ' +
    'mysql myssl mythic nasa nativewind nautobot naver nba nearbysearch nebius nebulagraph needle neemee nefino ' +
    'neo4j neodb neovim netbird netlify netskope newsnow nextflow nexus nftgo nia nile ninjaproxy nixos nltk ' +
    'nobitex nodejs nodemcu nodit norman nostr notfound notion notte novacv novita nps ntropy nuclei nuke numpy nvd ' +
    'obs obsidian oceanbase octagon octomind odbc okta okx ollama omi omnifocus onenote onesignal oneuptime onos ' +
    'onsecurity onyx openai openapi opencage opencti opendal opendigger opendota openfec openfga opengenes ' +
    'openmetadata opennutrition openproject openregister openrouter openrpc openscad opensearch openstack opentofu ' +
    'opentrons openverse openweathermap opgg opik opine opnsense opslevel optuna oracle ordiscan orm osint osm ' +
    'osmosis osrs oss osv oura outreachtoday outscraper overseerr owl oxylabs paddle pagerduty pagespeed pangea ' +
    'panintellegence panther paperswithcode paradex patreon patsnap paylocity payman paypal paystack pbs penpot ' +
    'penrose perplexity perses pexels phalcon phoenix photoroom photoshop piapi pica pickapicon pif pinata pinecone ' +
    'pinot pipecd pipedream pipedrive piperun pixabay placid plaid playfab playwright plex pluggy pocket pocketbase ' +
    'podman pokemon polardbx pollinations polymarket pomodash postgis postgres postgresql posthog postman postmark ' +
    'powerdrill powerplatform powerpoint powertools pox ppt pptx prd prefect prem pricer prisma productboard ' +
    'prometheus proofly protonmail pubchem pubmed pubnub pulsemcp pulumi pumpfun puppeteer puppeteerextra pushover ' +
    'pyautogui pygithub pylon pymol pypi python qanon qase qdrant qgis qiniu quantconnect quarkus querypie ' +
    'quickbase quickchart quran qurancom qweather rabbitmq rabi rag ragbased ragie ragrabbit raindropio ramp ' +
    'rapidapi rapidapp rapidocr raygun razorpay rcon rdf rdl reablocks react readwise realestatecrm reaper reasoner ' +
    'rebrandly recraft redash reddit redis redmine ref rember rememberizer replicate repomix resend retellai revit ' +
    'rhino rhombus rijksmuseum rime riot risken riza roadrecon roam rocketmq rollbar rootdata rootly ros ros2 rss ' +
    'rss3 rube rubygems rugcheck runbook runpod rustchain safetyculture salesforce sandock santa sar sbom scanpy ' +
    'scenariocom schwab scrapbox scrapegraph scrapeless scraperis scrapezy scrapi scrapli scrappey screenshotone ' +
    'scryfall search1api searchcraft searxng seatunnel sefaria selenium semgrep sendgrid senechal senegal sentry ' +
    'seo seq serena serp serpapi serper servicenow sharepoint shazam sherlock shodan shopify shortio shufersal ' +
    'signaturit simplechecklist simplelocalize simplifier singlestore sip sitecore siyuan sketchfab sketchup skrape ' +
    'skysql skyvern slack slicer slidespeak slim sloneek smallestai smartbear smartlead smartsheet sncf snowflake ' +
    'sns snyk sola solana solarwinds solr soltracker sonarcloud sonarqube sonos sourcesyncai speckle spheron ' +
    'spinnaker spira spiral spirexls spline splunk splunkbase spotify sql sqlalchemy sqlite ssh stackhawk stagehand ' +
    'stakpak starbucks starknet starrocks stata stateset statsig steam stellar stern stk storyblok storybook strapi ' +
    'strateegia strava stripe substack sui summarizer sumup suno sunsama supabase supadata supavec superset supos ' +
    'surebets suzieq svm swagger swift swit switchbot symbiotic sympy tagesschau tailorkit tailscale tako tally ' +
    'tana targetprocess taskade taskeract taskwarrior tasty tavily tavus teamcity teamretro teamspeak teamtailor ' +
    'teamwork tecton tekton telegram telnyx tembo teradata terminalshop terraform terrakube tesla testdino testkube ' +
    'testomatio testrail textwell tft thegraph things3 thingsboard thirdweb thoughtspot threejs tianji tibber ' +
    'ticketmaster ticktick tidb tigerbeetle tigergraph tigris tiktok timecamp timeplus tinder tinybird tinydb ' +
    'tinypng titan tmdb todoist toolbox toolhouse torob touchdesigner tracxn tradovate trakt travelmyth trello ' +
    'triliumnext trinity trino tripadvisor tripo tts turso tuya twilio twitch twitter typefully typesense ucloud ' +
    'umami uml unichat unifai unipile uniprot uniquity unity unraid unreal unsplash untappd uploadthing upstash ' +
    'uranium usescraper vantage vapi variflight vcd vectara vectorize vegalite vercel verodat veyrax vibecoder ' +
    'victorialogs victoriametrics victoriatraces vidu vikingdb vikunja virustotal viso vite vizro voicevox ' +
    'volatility3 votars voyp vscode waldur waroom warpcast watchbase wazuh wcag wealthy weatherapicom weathermcp ' +
    'weavely weaviate webdav webflow webllm webmcp weibo weread whissle whoop wikidata wikipedia wildfly windbg ' +
    'wnba wolframalpha wongames wordpress wordware workato workday workos worldpay xano xcode xcom xero xhs ' +
    'xiaohongshu xiyansql xmind xpath xtb xueqiu yapi yazio ydb yggtorrent yingdao ynab yokatlas yolo youtube ' +
    'yugabytedb yuque zbd zebrunner zeek zen zendesk zenml zerocracy zerodha zeropath zerops zig zoom zoomeye ' +
    'zotero zscaler zulip'
  ).split(' '),
)

/** Names that are words too: only a capital or what the system holds tells. */
export const doubtfulNames: ReadonlySet<string> = new Set(
  (
    'ads analyzer apple backlog bitcoin canvas chroma chrome docker excel explorer ffmpeg gateway jfrog json linear ' +
    'linkedin magic mermaid minecraft neon outlook pump railway rest sms uuid web3 websocket whatsapp windows'
  ).split(' '),
)

/** Log-odds of a place and a word without a model. */
export const plainHead: NameHead = {
  bias: -0.91,
  signs: {
    in: 0.15,
    into: 0.48,
    to: -1.25,
    from: -0.57,
    with: -1.17,
    using: -0.46,
    other: -1.21,
    definite: -1.27,
    possessive: 0.68,
    indefinite: -0.83,
    start: 0.67,
    'verb-like': -0.33,
    end: -0.34,
    'goes-on': -0.7,
    'system-holder': 0.55,
    holder: 0.29,
    'held-by-first': -1.49,
    'other-after': -0.47,
    large: 0.92,
    'mixed-case': 2.57,
    'several-words': 0.36,
    digit: -0.92,
    'foreign-script': -0.53,
    'large-after': -2.49,
    'large-before': -2.23,
    short: -3.25,
    'long-request': -1.55,
    'to-end': -0.13,
    'from-end': 0.69,
    'with-end': 0.14,
    'in-end': 0.39,
    'using-end': -0.04,
    'large-holder': 1.57,
    'large-end': -0.7,
    unknown: 0,
    'unknown-large': 0,
    'unknown-holder': 0,
  },
}

/** The same beside the vector of the word. */
export const vectorHead: NameHead & { readonly model: string; readonly vector: readonly number[] } = {
  ...{
    bias: -1.11,
    signs: {
      in: 0.34,
      into: 0.05,
      to: -1.28,
      from: -0.34,
      with: -1.33,
      using: -0.68,
      other: -1.2,
      definite: -1.55,
      possessive: 0.31,
      indefinite: -1.27,
      start: 0.57,
      'verb-like': -0.84,
      end: -0.43,
      'goes-on': -0.72,
      'system-holder': 0.33,
      holder: 0.11,
      'held-by-first': -1.49,
      'other-after': -0.39,
      large: 1.31,
      'mixed-case': 1.65,
      'several-words': 0.29,
      digit: -1.52,
      'foreign-script': -0.36,
      'large-after': -2.48,
      'large-before': -1.88,
      short: -3.89,
      'long-request': -1.29,
      'to-end': -0.07,
      'from-end': 0.4,
      'with-end': 0.03,
      'in-end': 0.39,
      'using-end': -0.29,
      'large-holder': 1.23,
      'large-end': -0.56,
      unknown: 1.6,
      'unknown-large': -0.91,
      'unknown-holder': 0.39,
    },
  },
  model: 'static:audition-1@f5a53666ed3e',
  vector: [
    -3.77, 3.1, 1.67, 0.52, -0.51, -1.11, -1.24, 0.06, 0.08, -0.87, 0.5, 2.06, -3.59, -1.4, 1.06, -0.74, 0.19,
    -1.04, -1.22, 0.55, 1.06, 1.05, 0.27, -1.58, 0.85, -2.11, -0.48, 0.44, -1.24, 1.12, -0.44, -2.06, -0.53,
    -1.14, 1.44, 0.39, 0.26, -0.3, 1.12, -0.49, -0.02, -0.92, -0.02, -2.01, 0, 1.58, 1.08, -1.61, 0.14, -0.19,
    -0.93, -1.53, -0.01, 0.3, 0.77, -0.01, -0.5, -0.75, 0.25, -0.3, 1.48, -0.22, -2.44, -0.64, -2.14, 0.33,
    -0.24, -1.24, 0.13, -1.57, 3.89, -0.04, -0.2, -0.74, -1.82, 1.16, 1.11, 0.79, -0.39, -0.27, -1.72, 0.33,
    0.7, -1.04, 0.81, -0.25, -0.68, -0.04, 1.45, -0.44, 1.19, 1.18, -1.35, -0.55, -0.5, 0.04, -1.36, -0.73,
    0.09, 0.32, -1.2, 0.37, 0.72, -1.2, 0.06, -0.31, -0.37, 0.25, 0.23, -0.77, -0.71, 2.09, -1.27, 2.02, 0.19,
    0.52, -0.73, 0.77, -0.38, -0.37, -0.23, -0.47, -1.12, -0.82, -1.21, -1.62, -1.61, -1.51, 0.55, -0.2,
    -1.21, 1.02, 0.8, -0.12, -0.26, 0.34, -0.09, -0.38, 0.74, -0.66, 0.47, -0.57, 1.56, 0.74, -0.43, -0.69,
    1.02, 0.62, 1.31, -0.85, 0.09, -0.23, -1.38, -0.51, 0.21, -1.22, 1.26, 0.52, -2.35, 1.48, 0.95, -0.28,
    -0.09, -0.47, 2.02, 2.09, 1.97, 0.83, 0.33, 0.77, -0.25, -0.93, 1.86, 1.46, 1.12, -0.87, 0.41, 0.82,
    -1.13, -1.92, 0, 0.49, 0.22, 1.24, -1.12, -0.69, -0.5, -0.21, -1.26, 0.53, 2.17, -0.15,
  ],
}
