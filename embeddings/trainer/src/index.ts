export { type TrainedModel, type TrainModelOptions, trainModel } from './train-model.ts'
export { buildRecommendations } from './recommend/build/build-recommendations.ts'
