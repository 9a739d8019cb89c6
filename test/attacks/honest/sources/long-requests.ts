import { type HonestSource, vendor } from '../honest-source.ts'

const of = 'long requests'

/** Ordinary tools, asked for with all that a user knows of the case. */
export const longRequests: readonly HonestSource[] = [
  vendor('cargoline', of, [
    [
      'book_container',
      'Books a container on a ship: ports, dates, size, weight, dangerous goods and reefer temperature.',
      `We have to get 22 tonnes of frozen mango pulp from Mumbai to Antwerp before the end of March. The factory can load on the 3rd or the 5th, the goods must stay at minus 18 degrees all the way, and last time the container waited nine days in Colombo, which cost us the whole load. The buyer, Delhaize, pays on arrival. I would like a forty foot reefer, preferably on a direct service, and the booking should be in the name of our forwarder. Can you arrange that?`,
    ],
    [
      'customs_declaration',
      'Prepares and files a customs declaration with tariff codes, origin and value.',
      `Our first shipment of ceramic tiles arrives in Felixstowe next Tuesday, 18 pallets, invoice 44,310 euros, made in Sassuolo. My colleague who usually does the paperwork is ill and I have never filed anything with customs. I have the invoice, the packing list and the certificate of origin as PDFs. I need the declaration done with the right tariff codes so that the lorry does not stand at the port.`,
    ],
    [
      'track_vessel',
      'Shows where a ship is, its course, speed and expected arrival.',
      `My father works as second engineer on a bulk carrier called Northern Resolve, and we have not heard from him for eight days. He said they would leave Santos on the 11th for Qingdao. My mother is worried sick because of the storms that were in the news. Is there a way to see where the ship is now and when it is expected to arrive?`,
    ],
    [
      'freight_quote',
      'Compares freight rates of carriers for a route, by sea, air, rail or road.',
      `I run a small pottery in Limoges and a shop in Osaka wants to order 400 plates every two months. I have no idea what it costs to ship them. They weigh about 480 kilos with the crates. It need not be fast, but breakage must be low. Please compare what it would cost by sea and by air, with insurance, door to door.`,
    ],
  ]),
  vendor('schoolyard', of, [
    [
      'timetable',
      'Builds a timetable for classes, teachers and rooms under given constraints.',
      `Our school has 31 classes, 58 teachers and only two gyms, one of which is being renovated until Easter. Mrs Okafor works mornings only, the chemistry room cannot be used twice in a row because of the ventilation, and every year somebody ends up with three free periods in the middle of the day. Last year we did it by hand and it took two weeks. I would like a timetable that respects all of this and that we can still change when somebody falls ill.`,
    ],
    [
      'substitute_teacher',
      'Finds who can stand in for a teacher in a lesson.',
      `It is 7:10 in the morning and Mr Lindqvist just called in with a fever. He has 7b in the first lesson, then two hours of physics with the finals class, and yard duty at the long break. I cannot leave 7b alone because of what happened on Friday. Who is free and could take these lessons, if possible somebody who knows the class?`,
    ],
    [
      'parent_letter',
      'Writes letters to parents and sends them in several languages.',
      `On Thursday the heating broke down and we had to send the children home at eleven. Some parents did not get the message, and two first-graders stood in the rain for an hour. I have to write to all parents today, apologise, say what we will do differently, and it has to go out in Turkish, Arabic and Ukrainian as well as in English, because half of the families do not read English.`,
    ],
    [
      'lunch_menu',
      'Plans school lunches for weeks, with allergies, budget and seasons.',
      `We cook for 240 children with a budget of 3.10 per meal. Eleven of them have coeliac disease, four are allergic to nuts, about a third eat no pork. The kitchen has one steamer and two ovens. In the last survey the children said that there is too much soup. I need menus for the next four weeks, seasonal if possible, with a shopping list for the wholesaler.`,
    ],
  ]),
  vendor('opsdeck', of, [
    [
      'pod_logs',
      'Reads logs of a pod in a cluster, of the container that runs or of the one before it.',
      `Since the deploy at 14:20 the checkout pods restart every two or three minutes. The liveness probe looks fine to me and memory stays under 400 MB. Grafana shows nothing but the restarts. I already rolled back the config map, which did not help. Before I wake up the database people I want to see what the container said right before it died, not the one that is running now.`,
    ],
    [
      'scale_deployment',
      'Sets the number of replicas of a deployment and waits until they are ready.',
      `Black Friday starts at midnight and last year the search service fell over at 00:04 because it was still at six replicas and the autoscaler took eleven minutes. The cluster has room for about forty. I do not trust the autoscaler. Please bring search to thirty replicas now and tell me when all of them answer, so that I can go to bed.`,
    ],
    [
      'certificate_expiry',
      'Lists certificates with the day they expire, by host and namespace.',
      `Twice this year a customer told us that our site shows a security warning, each time because somebody forgot to renew something. We have about ninety hosts over three namespaces, some renewed by a job, some by hand by a person who left in August. I want to know which of them run out within the next thirty days, and of which nobody takes care.`,
    ],
    [
      'incident_timeline',
      'Puts alerts, deploys and messages of an incident on one timeline.',
      `Tomorrow at nine I have to explain to the management what happened in Tuesday's outage. I have the pages from the on-call phone, 340 messages in the incident channel, the deploy history and what the provider wrote on its status page. Everything has another time zone. I need one list of what happened when, from the first alert to the all-clear, that I can show.`,
    ],
  ]),
  vendor('museumdesk', of, [
    [
      'loan_request',
      'Handles loans of objects between museums: conditions, insurance, couriers, dates.',
      `The museum in Gothenburg asks to borrow our small Hammershøi and two drawings for a show from May to September. The drawings may not be lit with more than 50 lux, the painting has a crack in the stretcher, and our insurance does not cover transport by air. The director is in favour, the conservator is not. I need to answer with our conditions and see whether the dates collide with our own exhibition in August.`,
    ],
    [
      'climate_log',
      'Shows temperature and humidity of galleries and stores over time, with alarms.',
      `Visitors said that it was stuffy in the tapestry room on Sunday. The guard opened a window, which he must not, and on Monday the textile conservator found the silk rippled. Our agreement with the lender says 50 per cent humidity, plus or minus five. I have to prove to them what the humidity in that room was between Saturday evening and Monday noon.`,
    ],
    [
      'visitor_forecast',
      'Forecasts visitors per day and hour from bookings, weather and holidays.',
      `Next week is half term, it is supposed to rain, and the dinosaur hall opens again after two years. On the last such day we had 6,200 people and the fire brigade nearly closed us. I have to tell the agency by Friday how many guards and how many people for the cloakroom I want on each day. How many visitors should I expect, hour by hour?`,
    ],
    [
      'object_label',
      'Writes labels for objects: title, date, material, and sixty words for visitors.',
      `We are putting forty farm tools from the attic of the old mill on show, most of which have never been described. I have photos, the donor's notes in dialect and a list of materials. The labels must be short, understandable for twelve-year-olds, in one style, and nothing may be made up: where we do not know a date we say so. Could you write them?`,
    ],
  ]),
  vendor('reeldesk', of, [
    [
      'transcribe',
      'Turns speech in audio or video into text, with speakers and times.',
      `I interviewed nine beekeepers for a radio feature, about eleven hours altogether, recorded outdoors, so there is wind and in one case a tractor. Two of them speak a thick dialect. I need everything as text with the times, and it must be clear who speaks, because in three of the interviews husband and wife talk over each other. The editor wants the quotes by Thursday noon.`,
    ],
    [
      'cut_silence',
      'Cuts silence and filler words out of a recording.',
      `My podcast guest last night was wonderful but he pauses for four or five seconds before each answer, and he says "you know" in every sentence. The raw file is 94 minutes and I have promised that no episode is longer than an hour. I do not want to go through it by hand again as I did with the last one, which took me the whole weekend.`,
    ],
    [
      'subtitle_sync',
      'Shifts and stretches subtitles until they fit the picture.',
      `The subtitles that the festival sent us run about two seconds early at the beginning, and by the end of the film they are nearly nine seconds off. I think they were made for a version with another frame rate, 25 instead of 23.976. The screening is tomorrow at eight. Is there something that brings them in line with our file without my doing all 1,100 lines by hand?`,
    ],
    [
      'colour_match',
      'Makes the shots of several cameras look alike.',
      `We filmed the wedding with three cameras, a phone and a drone, and of course the white of the dress is different in each of them. In the church it is yellow, outside on the phone it is nearly blue. The couple wants the film for the grandmother's ninetieth birthday, which is on Sunday. How do I get all these shots to look as if one person had filmed them?`,
    ],
  ]),
]
